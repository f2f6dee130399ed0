/// What is to change of one's account.
public struct AccountEdit: Sendable, Hashable, Codable {
  public var displayName: Change<String> = .keep
  public var bio: Change<String> = .keep
  public var email: Change<String> = .keep
  /// Shows that it is the person who asks; a new email needs it.
  public var password: Change<String> = .keep

  public init() {}
}
