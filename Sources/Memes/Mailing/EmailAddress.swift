/// An email address like `name@example.org`, in a form that every mail server accepts.
///
/// It consists of a dot-atom, an `@` and a domain name (RFC 5322 §3.4.1). It is all ASCII, within the length limits of
/// RFC 5321 §4.5.3.1. Quoted local parts, comments and address literals, which the standard also allows, are rejected
/// because real addresses do not use them. A valid address has no whitespace, bracket or line end, so it is safe in
/// mail headers and SMTP commands without escaping.
package struct EmailAddress: Hashable, Sendable {
  /// The maximum length of an SMTP path without its brackets.
  package static let maximumBytes = 254

  package let text: String
  /// The part after the `@`.
  package var domain: Substring { text[text.index(after: at)...] }

  private let at: String.Index

  package init(_ text: String) throws(InvalidValue) {
    guard text.utf8.count <= Self.maximumBytes,
      let at = text.utf8.firstIndex(of: UInt8(ascii: "@")),
      Self.isLocalPart(text.utf8[..<at]), Self.isDomain(text.utf8[at...].dropFirst())
    else {
      throw InvalidValue(
        code: "invalid-email", message: "Must be an email address like name@example.org.")
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
