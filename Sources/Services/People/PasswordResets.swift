import Bytes
package import Memes
package import Storage

/// Lets users who forgot their password choose a new one, with a link in a mail.
package struct PasswordResets: Sendable {
  /// How long a link is valid.
  static let lifetimeMilliseconds: Int64 = 30 * 60 * 1000
  /// The maximum number of valid links per user. A new link does not invalidate older ones, so a stranger's request
  /// cannot disable a link. The limit also bounds the number of mails.
  private static let maximumOpen = 3

  private let store: PasswordResetStore
  private let check: PasswordCheck
  private let mails: MailQueue
  private let letters: AccountLetters
  private let notices: AccountNotices
  private let context: ServiceContext

  package init(
    store: PasswordResetStore, check: PasswordCheck, mails: MailQueue, letters: AccountLetters,
    notices: AccountNotices, context: ServiceContext
  ) {
    (self.store, self.check, self.mails) = (store, check, mails)
    (self.letters, self.notices, self.context) = (letters, notices, context)
  }

  /// Sends a link to the user with this email, if there is one.
  ///
  /// Everything that depends on the existence of the account happens later. Neither the response nor its time reveals
  /// whether the account exists.
  package func request(_ email: EmailAddress) {
    mails.add { [self] mailer in
      let (token, time) = (SecretToken.make(), context.now())
      let digest = context.digest(Bytes(token))
      let user = try await store.insert(
        token: digest, for: email, at: time, after: Self.limit(at: time), most: Self.maximumOpen)
      guard let user else { return }
      do {
        try await mailer.deliver(letters.reset(user, token: token))
      } catch MemeError.mail(.unanswered(let reason)) {
        // The mail may arrive, so its link stays valid.
        throw MemeError.mail(.unanswered(reason))
      } catch {
        // The mail was not sent, so the link must not count.
        try await store.withdraw(token: digest)
        throw error
      }
    }
  }

  /// A link with which an admin lets a user choose a new password. It replaces earlier ones, and no mail is sent.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the actor is no longer an admin.
  package func link(
    for username: Username, by authority: Authority
  ) async throws -> (url: String, expiresAt: Timestamp) {
    let (token, time) = (SecretToken.make(), context.now())
    try await store.replace(
      of: username, token: context.digest(Bytes(token)),
      recording: AuditEntry(at: time, authority, .resetPassword, username.text))
    let end = time.millisecondsSince1970 + Self.lifetimeMilliseconds
    return (letters.resetLink(token), Timestamp(millisecondsSince1970: end))
  }

  /// Changes the password of the user who received the token. Also ends all of their sessions and invalidates their
  /// other links. Identities that were linked to the account are unlinked. On return, all of this is durable.
  ///
  /// - Parameter network: the network of the client. Wrong passwords from it no longer count.
  /// - Throws: ``MemeError/invalidReset``, whatever is wrong with the token;
  ///   ``MemeError/invalid(field:_:)`` (`password`); ``MemeError/overloaded``.
  package func reset(
    _ token: String, to password: Password, rules: PasswordRules, from network: ClientNetwork
  ) async throws {
    let digest = context.digest(Bytes(token))
    let limit = Self.limit(at: context.now())
    guard let user = try await store.user(resetting: digest, after: limit) else {
      throw MemeError.invalidReset
    }
    if let refusal = rules.refusal(of: password, for: user.username, user.email) {
      throw MemeError.invalid(field: "password", refusal)
    }
    let hash = try await check.hasher.hash(password)
    let time = context.now()
    let changed = try await store.reset(
      token: digest, after: Self.limit(at: time), to: hash, at: time)
    guard let changed else { throw MemeError.invalidReset }
    await check.forget(guessesOf: changed, from: network)
    notices.tell(changed, .passwordChanged)
  }

  /// Links made at this time or earlier have expired.
  static func limit(at time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 - lifetimeMilliseconds)
  }
}
