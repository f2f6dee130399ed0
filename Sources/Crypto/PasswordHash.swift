import CSodium
import Foundation

/// Password hashing with Argon2id (RFC 9106). A guess costs an attacker as much as a check costs the server.
///
/// Each call takes some tens of milliseconds and 19 MiB, so run it on ``HashingThreads``.
package enum PasswordHash {
  /// With two passes on one lane, this is the minimum of OWASP's Password Storage Cheat Sheet.
  private static let memoryBytes = 19 << 20
  private static let passes: UInt64 = 2

  /// Returns the hash in its encoded form, with parameters and salt: up to 127 ASCII characters.
  ///
  /// - Throws: ``HashingError/noMemory`` if the memory cannot be allocated.
  package static func make(of password: [UInt8]) throws(HashingError) -> String {
    Random.prepare()
    var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let result = crypto_pwhash_str_alg(
      &encoded, password.map(CChar.init(bitPattern:)), UInt64(password.count), passes, memoryBytes,
      crypto_pwhash_ALG_ARGON2ID13)
    guard result == 0 else { throw .noMemory }
    return String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether `encoded` is a hash of this password. Compares in constant time.
  ///
  /// - Throws: ``HashingError/noMemory`` if the memory cannot be allocated.
  package static func verify(
    _ password: [UInt8], against encoded: String
  ) throws(HashingError) -> Bool {
    Random.prepare()
    errno = 0
    let result = crypto_pwhash_str_verify(
      encoded, password.map(CChar.init(bitPattern:)), UInt64(password.count))
    // A mismatch returns -1 too, but without `ENOMEM`.
    if result != 0, errno == ENOMEM { throw .noMemory }
    return result == 0
  }

  /// Whether `encoded` was created with parameters other than the current ones.
  package static func isOutdated(_ encoded: String) -> Bool {
    crypto_pwhash_str_needs_rehash(encoded, passes, memoryBytes) != 0
  }
}

/// An error while hashing a password or a code.
package enum HashingError: Error, Equatable {
  /// Too many jobs are already waiting.
  case overloaded
  /// Not enough memory is available at the moment.
  case noMemory
  /// The calling task was cancelled.
  case cancelled
  /// The library refuses the algorithm.
  case unavailable
}
