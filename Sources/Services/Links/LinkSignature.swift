import Crypto

/// Signs addresses that draw memes, so that a server draws only for people who know it, and for those they gave an
/// address to.
package struct LinkSignature: Sendable {
  /// 132 bits, which no one can guess.
  private static let length = 22

  /// Whether the server draws only signed addresses for callers without credentials.
  package let isRequired: Bool
  private let key: [UInt8]

  /// - Parameter key: of any length.
  package init(key: [UInt8], isRequired: Bool) { (self.key, self.isRequired) = (key, isRequired) }

  /// The signature of an address.
  ///
  /// - Parameter address: the canonical path below the server, and the query without the signature, as in
  ///   `/images/two-buttons/left/right.png?width=400`.
  package func signature(of address: String) -> String {
    let code = HMACSHA256.code(for: Array(address.utf8), key: key)
    return String(Base64URL.encode(code).prefix(Self.length))
  }

  package func verifies(_ signature: String, of address: String) -> Bool {
    constantTimeEqual(Array(signature.utf8), Array(self.signature(of: address).utf8))
  }
}
