public import Foundation

/// An invitation to create an account.
public struct Invitation: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Invitation>

  public var id: ID
  /// The username of the inviter; `nil` if the inviter used the admin token.
  public var inviter: String?
  /// The email that the account must have; `nil` for any.
  public var email: String?
  /// The role of the account.
  public var role: User.Role
  /// The number of accounts that can still be created.
  public var uses: Int
  public var createdAt: Date
  public var expiresAt: Date
}

/// The terms of a new invitation. A property that is `nil` has the server's default.
public struct InvitationTerms: Sendable, Hashable, Codable {
  /// The email that the account must have; `nil` for any.
  public var email: String?
  /// Only admins can choose a role.
  public var role: User.Role?
  /// The number of accounts. Only admins can choose more than one.
  public var uses: Int?
  /// The end of the invitation; after 14 days by default.
  public var expiresAt: Date?

  public init(
    email: String? = nil, role: User.Role? = nil, uses: Int? = nil, expiresAt: Date? = nil
  ) {
    self.email = email
    self.role = role
    self.uses = uses
    self.expiresAt = expiresAt
  }
}

/// A new invitation, with its code.
public struct NewInvitation: Sendable, Hashable, Decodable {
  public var invitation: Invitation
  /// The credential: ``Registration/invitation``. The server does not show it again.
  public var code: Token
  /// The URL of the page that creates the account. It contains the code.
  public var url: Token

  private enum CodingKeys: CodingKey { case code, url }

  public init(from decoder: any Decoder) throws {
    invitation = try Invitation(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(Token.self, forKey: .code)
    url = try container.decode(Token.self, forKey: .url)
  }
}
