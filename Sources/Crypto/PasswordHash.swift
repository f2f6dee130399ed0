import CSodium
import Foundation

/// Argon2id (RFC 9106): a hash of a password that costs whoever guesses as much as whoever checks.
///
/// Each call takes some tens of milliseconds and 19 MiB, so it is made by ``HashingThreads``.
package enum PasswordHash {
  /// With two passes on one lane this is what OWASP's Password Storage Cheat Sheet asks for at least.
  private static let memoryBytes = 19 << 20
  private static let passes: UInt64 = 2

  /// The hash, in the encoded form that names its parameters and has its salt: up to 127 characters of ASCII.
  ///
  /// - Throws: ``HashingError/noMemory``.
  package static func make(of password: [UInt8]) throws(HashingError) -> String {
    Random.prepare()
    var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let result = crypto_pwhash_str_alg(
      &encoded, password.map(CChar.init(bitPattern:)), UInt64(password.count), passes, memoryBytes,
      crypto_pwhash_ALG_ARGON2ID13)
    guard result == 0 else { throw .noMemory }
    return String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether `encoded` was made of this password; compared in a time that does not tell where they differ.
  ///
  /// - Throws: ``HashingError/noMemory``.
  package static func verify(
    _ password: [UInt8], against encoded: String
  ) throws(HashingError) -> Bool {
    Random.prepare()
    errno = 0
    let result = crypto_pwhash_str_verify(
      encoded, password.map(CChar.init(bitPattern:)), UInt64(password.count))
    // A hash that does not match is -1 as well.
    if result != 0, errno == ENOMEM { throw .noMemory }
    return result == 0
  }

  /// Whether `encoded` was made with other parameters than those of today.
  package static func isOutdated(_ encoded: String) -> Bool {
    crypto_pwhash_str_needs_rehash(encoded, passes, memoryBytes) != 0
  }
}

/// Why a password could not be hashed.
package enum HashingError: Error, Equatable {
  /// Too many wait already.
  case overloaded
  /// There is no memory for it at the moment.
  case noMemory
  /// Who asked is gone.
  case cancelled
}
