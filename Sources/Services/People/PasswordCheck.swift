package import Memes
import Storage

/// Verifies passwords, and limits guessing.
///
/// Wrong passwords are counted per account and network. A count per account alone would let anyone who knows the
/// username lock the account.
package struct PasswordCheck: Sendable {
  let hasher: PasswordHasher
  private let throttle: SharedThrottle

  package init(hasher: PasswordHasher, throttle: SharedThrottle) {
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
    try await throttle.take(.wrongPassword, for: guesser)
    let isRight: Bool
    do { isRight = try await verify(password, against: hash) } catch {
      await throttle.giveBack(.wrongPassword, to: guesser)
      throw error
    }
    if isRight { await throttle.giveBack(.wrongPassword, to: guesser) }
    return isRight
  }

  private func verify(_ password: Password, against hash: HashedPassword?) async throws -> Bool {
    // A missing password takes as long as a wrong one, so that the time does not reveal either.
    guard let hash, hash.isUsable else {
      _ = try await hasher.hash(password)
      return false
    }
    return try await hasher.verify(password, against: hash)
  }

  /// Forgets the wrong passwords that this network entered for the account. Called after the user proved their identity
  /// in another way, so that they can use the new password at once.
  func forget(guessesOf user: User, from network: ClientNetwork) async {
    for login in [Login.username(user.username), .email(user.email)] {
      await throttle.forget(.wrongPassword, of: .guesser(of: ClaimedLogin(login), from: network))
    }
  }
}
