import Bytes
import Crypto
package import Memes
package import OpenID
package import Storage

/// Finds the account of an identity, or makes it.
package struct ProviderAccounts: Sendable {
  private static let suffixes = 2...20

  private let issuer: OpenIDIssuer
  private let mode: RegistrationMode
  private let users: UserStore
  private let identities: IdentityStore
  private let notices: AccountNotices
  private let confirmations: EmailConfirmations
  private let context: ServiceContext

  package init(
    of issuer: OpenIDIssuer, _ mode: RegistrationMode, users: UserStore, identities: IdentityStore,
    _ mails: (notices: AccountNotices, confirmations: EmailConfirmations), context: ServiceContext
  ) {
    (self.issuer, self.mode, self.context) = (issuer, mode, context)
    (self.users, self.identities) = (users, identities)
    (notices, confirmations) = mails
  }

  func identity(_ claims: ProviderClaims) -> ProviderIdentity {
    ProviderIdentity(issuer: issuer.text, subject: claims.subject)
  }

  func newID(at time: Timestamp) -> IdentityID {
    .version7(at: time, random: Random.uuid())
  }

  /// The account of the user.
  ///
  /// - Parameter invitation: the code of an invitation, for a new account.
  /// - Throws: ``MemeError/signInToLink`` if an account has the email, and its user must link the identity;
  ///   ``MemeError/registrationClosed``; ``MemeError/invalidInvitation``; ``MemeError/providerEmailMissing``;
  ///   ``MemeError/suspended``; ``MemeError/storageFull``; the errors of the stores.
  func account(_ claims: ProviderClaims, invitation: String?) async throws -> Account {
    let (identity, time) = (identity(claims), context.now())
    if let account = try await identities.use(identity, at: time) { return account }
    let email = claims.email.flatMap { try? EmailAddress($0) }
    if let email, try await users.account(.email(email)) != nil {
      // Both sides know that the mailbox is the user's, who could also reset the password.
      guard claims.isEmailVerified else { throw MemeError.signInToLink }
      let account = try await identities.adopt(
        identity, as: newID(at: time), with: email, at: time)
      notices.tell(account.user, .identityLinked)
      return account
    }
    return try await make(claims, email, invitation: invitation, at: time)
  }

  private func make(
    _ claims: ProviderClaims, _ email: EmailAddress?, invitation: String?, at time: Timestamp
  ) async throws -> Account {
    // Without accounts of strangers, the invitation for the first admin is for the form only.
    guard mode != .closed, mode == .open || invitation != nil else {
      throw MemeError.registrationClosed
    }
    guard let email else { throw MemeError.providerEmailMissing }
    guard context.hasRoom() else { throw MemeError.storageFull }
    let names = Self.usernames(for: claims.username ?? String(email.text.prefix { $0 != "@" }))
    guard let first = names.first else { throw MemeError.usernameTaken }
    let user = User(
      id: UserID(Random.uuid()), username: first, email: email,
      displayName: claims.displayName.flatMap { try? DisplayName(String($0.prefix(50))) },
      biography: nil, createdAt: time, passwordChangedAt: time,
      emailConfirmedAt: claims.isEmailVerified ? time : nil)
    let account = try await identities.insert(
      Account(user: user, password: .unusable), newID(at: time), identity(claims),
      usernames: names, invitation: invitation.map { context.digest(Bytes($0)) })
    if account.user.id == user.id { confirmations.send(to: account.user) }
    return account
  }

  /// Usernames for a new account, the best first: the wanted one without what usernames cannot have, then with numbers.
  static func usernames(for wanted: String) -> [Username] {
    let longest = Username.bytes.upperBound
    let allowed = wanted.lowercased().prefix { $0 != "@" }.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? Character(scalar) : "_"
    }
    var base = String(allowed.prefix(longest))
    base = String(base.drop { $0 == "_" })
    while base.last == "_" { base.removeLast() }
    if base.utf8.count < Username.bytes.lowerBound { base = "user\(base)" }
    let numbers =
      suffixes.map { "\($0)" } + (0..<4).map { _ in "\(Int.random(in: 1000...999_999))" }
    return ([""] + numbers).compactMap { number in
      try? Username(wanted: base.prefix(longest - number.utf8.count) + number)
    }
  }
}
