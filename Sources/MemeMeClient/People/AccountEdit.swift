/// Changes to the signed-in user's account.
public struct AccountEdit: Sendable, Hashable, Codable {
  public var displayName: Change<String> = .keep
  public var bio: Change<String> = .keep
  public var email: Change<String> = .keep
  /// Can be changed once in 30 days.
  public var username: Change<String> = .keep
  /// The current password, as proof of identity. Required to change the email address.
  public var password: Change<String> = .keep

  public init() {}
}
