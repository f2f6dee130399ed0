public import Foundation

/// The account of the signed-in user.
public struct User: Sendable, Hashable, Codable {
  /// Stays the same if the username changes; `nil` if the server does not report it.
  public var id: Identifier<User>?
  public var username: String
  public var displayName: String?
  public var bio: String?
  /// The path of the profile picture, relative to the server's URL.
  public var avatarUrl: String
  public var createdAt: Date
  public var email: String
  /// Whether the user showed that the email is theirs; `nil` if the server does not report it.
  public var emailConfirmed: Bool?
  public var passwordChangedAt: Date
  /// `nil` if the username never changed, or the server does not report it.
  public var usernameChangedAt: Date?
  /// The role of the account; `nil` if the server does not report it.
  public var role: Role?
  /// `nil` if it is off, or the server does not report it.
  public var secondFactor: SecondFactor?

  public struct Role: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let member: Self = "member"
    /// Has the permissions of the admin token.
    public static let admin: Self = "admin"
  }
}

/// The data of a new account.
public struct Registration: Sendable, Hashable, Codable {
  /// 3 to 30 characters: a-z, 0-9 and underscores.
  public var username: String
  public var email: String
  /// 8 to 256 characters of any kind.
  public var password: String
  public var displayName: String?
  /// The code of an invitation: ``NewInvitation/code``. Some servers require it.
  public var invitation: Token?

  public init(
    username: String, email: String, password: String, displayName: String? = nil,
    invitation: Token? = nil
  ) {
    self.username = username
    self.email = email
    self.password = password
    self.displayName = displayName
    self.invitation = invitation
  }
}

/// A new session.
public struct SignedIn: Sendable, Hashable, Codable {
  /// The token that authenticates calls of the session: ``MemeMeClient/authorized(by:)``.
  public var token: Token
  /// The time when the session expires if it is not used.
  public var expiresAt: Date
  public var user: User
}

/// A session of a user, such as on one device.
public struct Session: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Session>

  public var id: ID
  public var createdAt: Date
  /// The time of the last use, with a resolution of one hour.
  public var lastUsedAt: Date
  public var expiresAt: Date
  /// The `User-Agent` that the client sent when it signed in.
  public var userAgent: String?
  /// Whether the caller uses this session.
  public var current: Bool
}
