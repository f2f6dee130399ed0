import Bytes

/// Lets people choose a new password who forgot theirs, by a link in a mail.
package struct PasswordResets: Sendable {
  /// For how long a link can be used.
  static let lifetimeMilliseconds: Int64 = 30 * 60 * 1000
  /// How many links of a person may be open. Those that were sent stay good, so nobody can take the link from somebody by asking
  /// again for them; and nobody gets more mails than that.
  private static let maximumOpen = 3

  private let store: any PasswordResetStore
  private let hasher: any PasswordHasher
  private let check: PasswordCheck
  private let mails: MailQueue
  private let letters: AccountLetters
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let newToken: @Sendable () -> String

  /// - Parameter newToken: gives texts that nobody can guess.
  package init(
    store: any PasswordResetStore, hasher: any PasswordHasher, check: PasswordCheck,
    mails: MailQueue, letters: AccountLetters, digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp,
    newToken: @escaping @Sendable () -> String
  ) {
    (self.store, self.hasher, self.check) = (store, hasher, check)
    (self.mails, self.letters) = (mails, letters)
    (self.digest, self.now, self.newToken) = (digest, now, newToken)
  }

  /// Sends a link to the person who has this email, if there is one.
  ///
  /// All that depends on whether there is happens later, so neither what comes back nor how long it takes tells.
  package func request(_ email: EmailAddress) {
    mails.add { [self] mailer throws(MemeError) in
      let (token, time) = (newToken(), now())
      let digest = digest(Bytes(token))
      let user = try await store.insert(
        token: digest, for: email, at: time, after: Self.limit(at: time), most: Self.maximumOpen)
      guard let user else { return }
      do throws(MemeError) {
        try await mailer.deliver(letters.reset(user, token: token))
      } catch {
        // Nobody has it; it must not count.
        try await store.withdraw(token: digest)
        throw error
      }
    }
  }

  /// Changes the password of the person to whom the token was sent, and ends all of their sessions and their other links. When
  /// this returns, that is durable.
  ///
  /// - Parameter network: where that is done. Wrong passwords that were tried from there do not count any more.
  /// - Throws: ``MemeError/invalidReset``, whatever is wrong with the token; ``MemeError/invalid(field:_:)`` (`password`);
  ///   ``MemeError/overloaded``.
  package func reset(
    _ token: String, to password: Password, rules: PasswordRules, from network: ClientNetwork
  ) async throws(MemeError) {
    let digest = digest(Bytes(token))
    guard let user = try await store.user(resetting: digest, after: Self.limit(at: now())) else {
      throw .invalidReset
    }
    if let refusal = rules.refusal(of: password, for: user.username, user.email) {
      throw .invalid(field: "password", refusal)
    }
    let hash = try await hasher.hash(password)
    let time = now()
    let changed = try await store.reset(
      token: digest, after: Self.limit(at: time), to: hash, at: time)
    guard let changed else { throw .invalidReset }
    check.forget(guessesOf: changed, from: network)
    mails.notify(letters.passwordChanged(changed))
  }

  /// What was made at the limit or before is over.
  fileprivate static func limit(at time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 - lifetimeMilliseconds)
  }
}

/// Removes resets for good that are over.
package struct PasswordResetPurging: Purge {
  private let store: any PasswordResetStore
  private let now: @Sendable () -> Timestamp

  package init(store: any PasswordResetStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws(MemeError) -> Int {
    try await store.purgeResets(madeBy: PasswordResets.limit(at: now()), .standard)
  }
}
