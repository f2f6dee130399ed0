import Crypto
import Memes

/// Hashes passwords by Argon2id.
struct Argon2Passwords: PasswordHasher {
  private let threads = HashingThreads()

  func hash(_ password: Password) async throws(MemeError) -> HashedPassword {
    HashedPassword(
      try await run { () throws(HashingError) in try PasswordHash.make(of: password.bytes) })
  }

  func verify(_ password: Password, against hash: HashedPassword) async throws(MemeError) -> Bool {
    try await run { () throws(HashingError) in
      try PasswordHash.verify(password.bytes, against: hash.encoded)
    }
  }

  func isOutdated(_ hash: HashedPassword) -> Bool { PasswordHash.isOutdated(hash.encoded) }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(HashingError) -> Value
  ) async throws(MemeError) -> Value {
    do throws(HashingError) { return try await threads.run(work) } catch { throw .overloaded() }
  }
}
