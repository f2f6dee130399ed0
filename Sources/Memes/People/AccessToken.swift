package import Foundation

/// The public ID of an access token. It is not a credential.
package struct AccessTokenID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A long-lived credential of an account, for scripts and bots. Only a digest of its secret is stored.
package struct AccessToken: Sendable, Equatable {
  /// The maximum number of valid tokens of an account.
  package static let maximumCount = 50
  /// The use of a token is recorded only if the last record is older than this.
  package static let noteMilliseconds: Int64 = 60_000

  package let id: AccessTokenID
  package let person: UserID
  package let name: TokenName
  package let scopes: TokenScopes
  package let createdAt: Timestamp
  /// `nil` if it does not expire.
  package let expiresAt: Timestamp?
  /// Accurate to ``noteMilliseconds``; `nil` if it was never used.
  package let lastUsedAt: Timestamp?
  /// The account's status, read together with the token.
  package let accountStatus: AccountStatus

  package init(
    id: AccessTokenID, of person: UserID, _ terms: Terms, createdAt: Timestamp,
    lastUsedAt: Timestamp? = nil, accountStatus: AccountStatus = .member
  ) {
    (self.id, self.person, self.createdAt) = (id, person, createdAt)
    (name, scopes, expiresAt) = (terms.name, terms.scopes, terms.expiresAt)
    (self.lastUsedAt, self.accountStatus) = (lastUsedAt, accountStatus)
  }

  /// What the user decides.
  package struct Terms: Sendable {
    package let name: TokenName
    package let scopes: TokenScopes
    package let expiresAt: Timestamp?

    package init(name: TokenName, scopes: TokenScopes, expiresAt: Timestamp?) {
      (self.name, self.scopes, self.expiresAt) = (name, scopes, expiresAt)
    }
  }

  /// The caller: an admin only if both the account and the token have admin rights.
  package var principal: Principal {
    accountStatus.role == .admin && scopes.permits(.admin)
      ? .administrator(person) : .person(person)
  }

  /// Whether a use at this time must be recorded, after the last recorded one.
  package static func needsNote(of time: Timestamp, after lastUse: Timestamp?) -> Bool {
    guard let lastUse else { return true }
    return time.millisecondsSince1970 - lastUse.millisecondsSince1970 >= noteMilliseconds
  }
}

/// The name of an access token, which only its user sees: 1 to 100 characters on one line.
package struct TokenName: Hashable, Sendable {
  package static let maximumCharacters = 100
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 1024

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    guard text.unicodeScalars.allSatisfy(DisplayName.staysInItsPlace) else {
      throw InvalidValue(
        code: "not-allowed", message: "A name must not contain line breaks or control characters.")
    }
    self.text = text
  }

  /// Creates a name that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}
