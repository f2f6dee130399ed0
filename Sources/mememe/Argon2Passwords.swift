import Crypto
import Memes

/// Hashes passwords with Argon2id.
struct Argon2Passwords: PasswordHasher {
  private let threads = HashingThreads()

  func hash(_ password: Password) async throws -> HashedPassword {
    HashedPassword(
      try await run { try PasswordHash.make(of: password.bytes) })
  }

  func verify(_ password: Password, against hash: HashedPassword) async throws -> Bool {
    try await run {
      try PasswordHash.verify(password.bytes, against: hash.encoded)
    }
  }

  func isOutdated(_ hash: HashedPassword) -> Bool { PasswordHash.isOutdated(hash.encoded) }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do { return try await threads.run(work) } catch is HashingError { throw MemeError.overloaded() }
  }
}
