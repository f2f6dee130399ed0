import Crypto
package import Memes

/// Hashes passwords with Argon2id. A call takes tens of milliseconds on separate threads. Few calls run at once.
///
/// Every call may throw ``MemeError/overloaded`` if too many are waiting.
package struct PasswordHasher: Sendable {
  private let threads = HashingThreads()

  package init() {}

  /// The hash to store. Takes as long as ``verify(_:against:)``.
  package func hash(_ password: Password) async throws -> HashedPassword {
    HashedPassword(
      try await run { try PasswordHash.make(of: password.bytes) })
  }

  /// Whether the hash was made from this password.
  package func verify(_ password: Password, against hash: HashedPassword) async throws -> Bool {
    try await run {
      try PasswordHash.verify(password.bytes, against: hash.encoded)
    }
  }

  /// Whether the hash was made with other parameters than the current ones.
  package func isOutdated(_ hash: HashedPassword) -> Bool { PasswordHash.isOutdated(hash.encoded) }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do { return try await threads.run(work) } catch is HashingError { throw MemeError.overloaded() }
  }
}
