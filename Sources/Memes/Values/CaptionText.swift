/// The words of one caption, as typed: 0 to 280 characters, where a newline starts a new line.
package struct CaptionText: Hashable, Sendable {
  package static let maximumCharacters = 280
  /// The bound in bytes that is checked before characters are counted.
  package static let maximumBytes = 8192

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    self.text = try text.keptAsTyped()
  }

  /// Text that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// No caption.
  package static let empty = CaptionText(stored: "")

  /// Whether nothing would be drawn.
  package var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

extension String {
  /// Refuses text that has a NUL or is longer than the bounds. Characters are grapheme clusters.
  func checkBounds(characters: Int, bytes: Int) throws(InvalidValue) {
    guard utf8.count <= bytes else { throw .tooLong(limit: characters) }
    guard !utf8.contains(0) else { throw .nul }
    guard count <= characters else { throw .tooLong(limit: characters) }
  }
}
