/// A mailbox like `somebody@example.org`, in the form that every mail server takes.
///
/// That is a dot-atom, an `@` and a domain name (RFC 5322 §3.4.1), all ASCII, within the lengths of RFC 5321 §4.5.3.1. What
/// the standard allows beside it is nobody's address: quoted local parts, comments, address literals. An address has no
/// blank, no bracket and no line end, so it can stand in a mail's header and in a command of SMTP as it is.
package struct EmailAddress: Hashable, Sendable {
  /// Of a path, without its brackets.
  package static let maximumBytes = 254

  package let text: String
  /// What stands behind the `@`.
  package var domain: Substring { text[text.index(after: at)...] }

  private let at: String.Index

  package init(_ text: String) throws(InvalidValue) {
    guard text.utf8.count <= Self.maximumBytes,
      let at = text.utf8.firstIndex(of: UInt8(ascii: "@")),
      Self.isLocalPart(text.utf8[..<at]), Self.isDomain(text.utf8[at...].dropFirst())
    else {
      throw InvalidValue(
        code: "invalid-email", message: "An email address is written somebody@example.org.")
    }
    (self.text, self.at) = (text, at)
  }

  private static func isLocalPart(_ bytes: Substring.UTF8View) -> Bool {
    bytes.count <= 64
      && bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0.allSatisfy(\.isAtomText)
      }
  }

  private static func isDomain(_ bytes: Substring.UTF8View) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      (1...63).contains($0.count) && $0.first != UInt8(ascii: "-") && $0.last != UInt8(ascii: "-")
        && $0.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// `atext` of RFC 5322 §3.2.3.
  fileprivate var isAtomText: Bool { isLetterOrDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains(self) }
}
