package import Bytes
import CGnuTLS
import CSodium

/// SHA-256 (FIPS 180-4). Safe to use from any thread.
package enum SHA256 {
  /// The 32 bytes of the digest.
  package static func digest(of bytes: Bytes) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    bytes.withUnsafeBytes { bytes in
      // GnuTLS uses the processor's SHA instructions. libsodium does not, and is only the fallback.
      guard gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, &digest) != 0 else {
        return
      }
      _ = crypto_hash_sha256(
        &digest, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }
    return digest
  }
}

/// HMAC-SHA-256 (RFC 2104): proves that the author of a code knew the key. Safe to use from any thread.
package struct Authenticator: Sendable {
  package static let keyBytes = Int(crypto_auth_hmacsha256_KEYBYTES)

  private let key: Secret

  /// - Returns: `nil` if the key is not 32 bytes long.
  package init?(key: Secret) {
    guard key.count == Self.keyBytes else { return nil }
    self.key = key
  }

  /// The 32-byte authentication code of `message`.
  package func code(for message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    key.withUnsafeBytes { key in
      guard let key = key.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
      _ = crypto_auth_hmacsha256(&code, message, UInt64(message.count), key)
    }
    return code
  }

  /// Whether `code` is the authentication code of `message`. Compares in constant time.
  package func verifies(_ code: [UInt8], for message: [UInt8]) -> Bool {
    constantTimeEqual(code, self.code(for: message))
  }
}

/// HMAC-SHA-256 with a key of any length.
package enum HMACSHA256 {
  /// The 32-byte authentication code of `message`.
  package static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }
}

/// Whether both arrays are equal. The time depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.withUnsafeBytes { left in right.withUnsafeBytes { constantTimeEqual(left, $0) } }
}

func constantTimeEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count else { return false }
  let count = left.count
  guard let left = left.baseAddress, let right = right.baseAddress else { return true }
  return sodium_memcmp(left, right, count) == 0
}
