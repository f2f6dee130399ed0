import Bytes

/// The value of a header field, which cannot contain a control character (RFC 9110 §5.5).
///
/// A value with CR or LF cannot be created, so a client's input cannot split a response.
package struct HeaderValue: Hashable, Sendable {
  package let text: String

  /// - Returns: `nil` if `text` contains a control character other than a tab.
  package init?(_ text: String) {
    let isClean = text.withUTF8Bytes { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
    guard isClean else { return nil }
    self.text = text
  }
}

extension HeaderValue: ExpressibleByStringLiteral {
  /// For values in the source code. A literal with a control character is a programming error.
  package init(stringLiteral text: StaticString) {
    self.text = text.description
    precondition(HeaderValue(self.text) != nil, "a header value contains a control character")
  }
}
