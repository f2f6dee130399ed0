package import Bytes

/// A JSON text (RFC 8259) from a client, parsed completely.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The nearest double.
  case number(Double)
  /// May contain any character, including U+0000.
  case text(String)
  case array([JSON])
  /// Names are unique.
  case object([String: JSON])

  /// The maximum nesting depth of arrays and objects.
  package static let maximumDepth = 32
  /// The maximum number of commas and opening brackets in a text, including those in its strings. A
  /// text has at most one value more than that. The limit is needed because a two-byte value can take
  /// a thousand times its size in memory.
  package static let maximumSeparators = 16_384

  /// Parses a UTF-8 text.
  ///
  /// - Throws: ``JSONError`` if the text is not valid JSON, an object has a duplicate name, a number exceeds the range
  ///   of a double, or the text exceeds ``maximumDepth`` or ``maximumSeparators``.
  package init(parsing bytes: Bytes) throws(JSONError) {
    let separators = bytes.withUnsafeBytes { $0.count(where: Self.mayOpenValue) }
    guard separators <= Self.maximumSeparators else { throw JSONError(offset: nil) }
    let document = try JSONDocument(bytes)
    self = try document.value()
  }

  private static func mayOpenValue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: ",")
  }
}

/// An error while parsing JSON.
package struct JSONError: Error, Equatable {
  /// The offset in bytes at which parsing stopped; `nil` if the error has no single position.
  package let offset: Int?
}
