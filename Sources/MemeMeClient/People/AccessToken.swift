public import Foundation

/// A long-lived credential of a script or a bot.
public struct AccessToken: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<AccessToken>

  public var id: ID
  public var name: String
  public var scopes: [Scope]
  public var createdAt: Date
  /// `nil` if it does not expire.
  public var expiresAt: Date?
  /// The time of the last use, to the minute; `nil` if it was never used.
  public var lastUsedAt: Date?

  /// What a token is for. Each scope includes the ones before it.
  public struct Scope: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Requests that change nothing.
    public static let read: Self = "read"
    /// Changes.
    public static let write: Self = "write"
    /// The rights of an admin, if the account has them.
    public static let admin: Self = "admin"
  }
}

/// A new access token, with its secret.
public struct NewAccessToken: Sendable, Hashable, Decodable {
  public var accessToken: AccessToken
  /// The credential: pass it to ``MemeMeClient/authorized(by:)``. The server does not show it again.
  public var token: Token

  private enum CodingKeys: CodingKey { case token }

  public init(from decoder: any Decoder) throws {
    accessToken = try AccessToken(from: decoder)
    token = try decoder.container(keyedBy: CodingKeys.self).decode(Token.self, forKey: .token)
  }
}
