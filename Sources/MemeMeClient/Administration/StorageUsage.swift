/// How much is stored, in bytes.
public struct StorageUsage: Sendable, Hashable, Codable {
  /// Of all that has no account.
  public var anonymous: Quota
  public var accounts: Accounts

  public struct Accounts: Sendable, Hashable, Codable {
    /// Of all accounts together.
    public var used: Int
    /// What each may have; `nil`: there is no limit.
    public var limitOfEach: Int?
    /// Those with most, the first with most.
    public var largest: [Account]
  }

  public struct Account: Sendable, Hashable, Codable {
    public var username: String
    public var used: Int
  }
}
