package import Memes
import Storage

/// Verifies passwords, and limits guessing.
///
/// Wrong passwords are counted per account and network. A count per account alone would let anyone who knows the
/// username lock the account.
package struct PasswordCheck: Sendable {
  private let hasher: PasswordHasher
  private let throttle: Throttle

  package init(hasher: PasswordHasher, throttle: Throttle) {
    (self.hasher, self.throttle) = (hasher, throttle)
  }

  /// Whether a password is correct.
  ///
  /// - Parameter hash: `nil` if the account does not exist. The call then takes as long, and counts as
  ///   a wrong password.
  /// - Throws: ``MemeError/throttled(_:)`` after too many wrong passwords, even if this one is
  ///   correct; ``MemeError/overloaded``.
  func isRight(
    _ password: Password, against hash: HashedPassword?, of account: ClaimedLogin,
    from network: ClientNetwork
  ) async throws -> Bool {
    let guesser = Caller.guesser(of: account, from: network)
    // Counted before the result is known, so that concurrent guesses cannot exceed the limit.
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

  /// Forgets the wrong passwords that this network entered for the account. Called after the user proved their identity
  /// in another way, so that they can use the new password at once.
  func forget(guessesOf user: User, from network: ClientNetwork) {
    for login in [Login.username(user.username), .email(user.email)] {
      throttle.forget(.wrongPassword, of: .guesser(of: ClaimedLogin(login), from: network))
    }
  }
}
