public import Foundation

/// A person, as they see themselves.
public struct User: Sendable, Hashable, Codable {
  public var username: String
  public var displayName: String?
  public var bio: String?
  /// Where the person's picture is, below the server's address.
  public var avatarUrl: String
  public var createdAt: Date
  public var email: String
  public var passwordChangedAt: Date
  /// What the person is to the server; `nil` where that does not tell.
  public var role: Role?

  public struct Role: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let member: Self = "member"
    /// May do what the admin's token lets its bearer do.
    public static let admin: Self = "admin"
  }
}

/// Who somebody wants to be here.
public struct Registration: Sendable, Hashable, Codable {
  /// 3 to 30 of the letters a to z, digits and underscores.
  public var username: String
  public var email: String
  /// 8 to 256 characters of any kind.
  public var password: String
  public var displayName: String?

  public init(username: String, email: String, password: String, displayName: String? = nil) {
    self.username = username
    self.email = email
    self.password = password
    self.displayName = displayName
  }
}

/// A session that has begun.
public struct SignedIn: Sendable, Hashable, Codable {
  /// Opens the session: ``MemeMeClient/authorized(by:)``.
  public var token: Token
  /// When the session is over if nobody uses it.
  public var expiresAt: Date
  public var user: User
}

/// A place where a person is signed in.
public struct Session: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Session>

  public var id: ID
  public var createdAt: Date
  /// To the hour.
  public var lastUsedAt: Date
  public var expiresAt: Date
  /// What the client called itself when it signed in.
  public var userAgent: String?
  /// Whether it is the one that asks.
  public var current: Bool
}
