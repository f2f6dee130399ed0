package import Bytes

/// A JSON text (RFC 8259) that somebody sent, read whole.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  /// As the nearest double.
  case number(Double)
  /// May hold any character, U+0000 too.
  case text(String)
  case array([JSON])
  /// No name comes twice.
  case object([String: JSON])

  /// How many arrays and objects may be inside one another.
  package static let maximumDepth = 32
  /// How many brackets that open, and commas, a text may have, in its strings too. It has no more values than these and
  /// one, and a value of two bytes takes a thousand times as many in memory.
  package static let maximumSeparators = 16_384

  /// Reads a text in UTF-8.
  ///
  /// - Throws: ``JSONError`` also where an object has a name twice, a number is beyond what a double holds, or it is
  ///   deeper than ``maximumDepth``, or it has more than ``maximumSeparators``.
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

/// Why a text is not taken as JSON.
package struct JSONError: Error, Equatable {
  /// Where reading stopped, in bytes from the beginning; `nil` where that is not one place.
  package let offset: Int?
}
