import CGnuTLS

/// Time-based one-time passwords (RFC 6238): HMAC-SHA-1, six digits, and steps of 30 seconds. Authenticator apps assume
/// these values, and many ignore others. Safe to use from any thread.
package enum TOTP {
  /// The size of a new secret: that of the digest, as RFC 4226 §4 recommends.
  package static let secretBytes = 20
  package static let digits = 6
  package static let stepSeconds: Int64 = 30

  /// The step whose code this is: the current step, or one before or after it, because clocks differ and typing takes
  /// time (RFC 6238 §5.2). The latest one if there are several. Compares with all codes in constant time.
  ///
  /// - Parameter time: in milliseconds since 1970.
  /// - Returns: `nil` if the code is wrong.
  /// - Throws: ``HashingError/unavailable``.
  package static func step(
    of code: String, secret: [UInt8], at time: Int64
  ) throws(HashingError) -> Int64? {
    let current = time / (1000 * stepSeconds)
    var found: Int64?
    for step in current - 1...current + 1 {
      let isRight = constantTimeEqual(
        Array(code.utf8), Array(try self.code(secret, at: step).utf8))
      if isRight { found = step }
    }
    return found
  }

  /// The code of a step (RFC 4226 §5.3).
  ///
  /// - Throws: ``HashingError/unavailable``.
  package static func code(_ secret: [UInt8], at step: Int64) throws(HashingError) -> String {
    let message = withUnsafeBytes(of: step.bigEndian) { Array($0) }
    var digest = [UInt8](repeating: 0, count: 20)
    let result = gnutls_hmac_fast(
      GNUTLS_MAC_SHA1, secret, secret.count, message, message.count, &digest)
    guard result == 0 else { throw .unavailable }
    let offset = Int(digest[19] & 15)
    let number = digest[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
