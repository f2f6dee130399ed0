import Foundation

/// A password as somebody typed it. It is never printed.
///
/// It is compared in Unicode's form C, as RFC 8265 §4.2 asks: the same letter comes as other bytes from other keyboards.
package struct Password: Sendable {
  /// NIST SP 800-63B §5.1.1.2 counts code points.
  package static let characters = 8...256
  /// Of UTF-8: four for each.
  package static let maximumBytes = 4 * characters.upperBound

  package let bytes: [UInt8]

  /// Any that may have been taken once.
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

/// What is kept of a password: a hash that names its parameters and has its salt.
package struct HashedPassword: Hashable, Sendable {
  package let encoded: String

  package init(_ encoded: String) { self.encoded = encoded }
}

extension HashedPassword: CustomStringConvertible, CustomReflectable {
  package var description: String { "HashedPassword" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Hashes passwords. A call takes tens of milliseconds, on threads of its own; few are made at once.
///
/// Every call may throw ``MemeError/overloaded`` where too many wait.
package protocol PasswordHasher: Sendable {
  /// The hash to keep. It takes as long as ``verify(_:against:)``.
  func hash(_ password: Password) async throws(MemeError) -> HashedPassword

  /// Whether the hash was made of this password.
  func verify(_ password: Password, against hash: HashedPassword) async throws(MemeError) -> Bool

  /// Whether the hash was made with other parameters than those of today.
  func isOutdated(_ hash: HashedPassword) -> Bool
}
