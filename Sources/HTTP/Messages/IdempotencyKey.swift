/// The key of an `Idempotency-Key` field: a client's name for a request that it may have to send again.
///
/// The field is a Structured Fields Item of type String (draft-ietf-httpapi-idempotency-key-header §2.1, RFC 9651
/// §3.3.3). Most clients send their key without the quotes. The server accepts that too, as the same key.
package struct IdempotencyKey: Hashable, Sendable {
  package static let maximumCharacters = 255

  /// 1 to 255 visible ASCII characters.
  package let text: String

  /// - Returns: `nil` if the request has no key.
  /// - Throws: 400 if the request has several keys or a malformed one.
  package static func read(_ headers: Headers) throws(Problem) -> IdempotencyKey? {
    let values = headers.all(.idempotencyKey)
    guard let value = values.first else { return nil }
    guard values.count == 1, let key = IdempotencyKey(value.text[...].trimmingSpaces()) else {
      throw Problem(.invalidIdempotencyKey)
    }
    return key
  }

  private init?(_ value: Substring) {
    guard let text = value.first == "\"" ? Self.unquoted(value) : Self.bare(value),
      (1...Self.maximumCharacters).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.text = text
  }

  /// A comma would mean a list, such as two fields that a proxy joined. A quote would mean a truncated string.
  private static func bare(_ value: Substring) -> String? {
    value.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
      ? nil : String(value)
  }

  /// The text between the quotes. A backslash may escape only a quote or a backslash.
  private static func unquoted(_ value: Substring) -> String? {
    var rest = value.utf8.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        return rest.isEmpty ? String(validating: text, as: UTF8.self) : nil
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(),
          escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\")
        else { return nil }
        text.append(escaped)
      default:
        text.append(byte)
      }
    }
    return nil
  }
}
