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

  /// Reads a text in UTF-8.
  ///
  /// - Throws: ``JSONError`` also where an object has a name twice, a number is beyond what a double holds, or it is
  ///   deeper than ``maximumDepth``.
  package init(parsing bytes: Bytes) throws(JSONError) {
    let document = try JSONDocument(bytes)
    self = try document.value()
  }
}

/// Why a text is not taken as JSON.
package struct JSONError: Error, Equatable {
  /// Where reading stopped, in bytes from the beginning; `nil` where that is not one place.
  package let offset: Int?
}
