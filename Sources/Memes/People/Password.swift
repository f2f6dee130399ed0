import Foundation

/// A password as the user typed it. It is never printed.
///
/// It is normalized to Unicode's form C (RFC 8265 §4.2), because different keyboards produce different bytes for
/// the same letter.
package struct Password: Sendable {
  /// The allowed number of code points, which is the unit of NIST SP 800-63B §5.1.1.2.
  package static let characters = 8...256
  /// The limit in UTF-8 bytes, four per code point.
  package static let maximumBytes = 4 * characters.upperBound

  package let bytes: [UInt8]

  /// Accepts any password that may have been valid once.
  package init(_ text: String) throws(InvalidValue) {
    guard text.utf8.count <= Self.maximumBytes else { throw Self.tooLong }
    guard !text.utf8.contains(0) else { throw .nul }
    let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
    guard composed.count <= Self.maximumBytes else { throw Self.tooLong }
    bytes = composed
  }

  /// The password as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  fileprivate static let tooLong = InvalidValue.tooLong(limit: characters.upperBound)
}

extension Password: CustomStringConvertible, CustomReflectable {
  package var description: String { "Password" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A stored password: a hash together with its parameters and salt.
package struct HashedPassword: Hashable, Sendable {
  package let encoded: String

  package init(_ encoded: String) { self.encoded = encoded }

  /// The hash of no password, as in /etc/shadow: of an account that a single sign-on made, until its user sets a
  /// password. It is a value and not NULL, so that every change that depends on the hash still does.
  package static let unusable = HashedPassword("!")

  /// Whether the account has a password.
  package var isUsable: Bool { self != .unusable }
}

extension HashedPassword: CustomStringConvertible, CustomReflectable {
  package var description: String { "HashedPassword" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
