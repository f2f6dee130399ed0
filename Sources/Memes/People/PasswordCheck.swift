/// Checks passwords, and lets nobody guess for long.
///
/// Wrong ones are counted for each account and each network that they come from. A count for the account alone would be a way to
/// lock its person out: whoever knows the name could keep it at its end.
package struct PasswordCheck: Sendable {
  private let hasher: any PasswordHasher
  private let throttle: Throttle

  package init(hasher: any PasswordHasher, throttle: Throttle) {
    (self.hasher, self.throttle) = (hasher, throttle)
  }

  /// Whether a password is the account's.
  ///
  /// - Parameter hash: `nil` where there is no such account; that takes as long and counts alike.
  /// - Throws: ``MemeError/throttled(_:)`` where too many were wrong, be this one right or not; ``MemeError/overloaded``.
  func isRight(
    _ password: Password, against hash: HashedPassword?, of account: GuessedAccount,
    from network: ClientNetwork
  ) async throws(MemeError) -> Bool {
    let guesser = Caller.guesser(of: account, from: network)
    // Taken before it is known to be wrong, so that many at once do not all get through.
    try throttle.take(.wrongPassword, for: guesser)
    var isWrong = false
    defer { if !isWrong { throttle.giveBack(.wrongPassword, to: guesser) } }
    if let hash {
      isWrong = try await !hasher.verify(password, against: hash)
    } else {
      _ = try await hasher.hash(password)
      isWrong = true
    }
    return !isWrong
  }

  /// Forgets the wrong passwords of somebody who has shown otherwise who they are, where they are: else they could not use the
  /// new one at once.
  func forget(guessesOf user: User, from network: ClientNetwork) {
    for login in [Login.username(user.username), .email(user.email)] {
      throttle.forget(.wrongPassword, of: .guesser(of: GuessedAccount(login), from: network))
    }
  }
}
