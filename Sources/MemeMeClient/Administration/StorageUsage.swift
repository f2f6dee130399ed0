/// The storage used on a server, in bytes.
public struct StorageUsage: Sendable, Hashable, Codable {
  /// The storage of all content without an account.
  public var anonymous: Quota
  public var accounts: Accounts

  public struct Accounts: Sendable, Hashable, Codable {
    /// The total of all accounts.
    public var used: Int
    /// The limit of each account; `nil` if there is none.
    public var limitOfEach: Int?
    /// The accounts that use the most storage, in descending order.
    public var largest: [Account]
  }

  public struct Account: Sendable, Hashable, Codable {
    public var username: String
    public var used: Int
  }
}
