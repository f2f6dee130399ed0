/// The text of a caption, as typed: 0 to 280 characters. A newline begins a new line.
package struct CaptionText: Hashable, Sendable {
  package static let maximumCharacters = 280
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 8192

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    self.text = try text.keptAsTyped()
  }

  /// Creates a text that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// The empty caption.
  package static let empty = CaptionText(stored: "")

  /// Whether nothing would be drawn.
  package var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

extension String {
  /// Throws if the text contains a NUL or exceeds the limits. Characters are grapheme clusters.
  func checkBounds(characters: Int, bytes: Int) throws(InvalidValue) {
    guard utf8.count <= bytes else { throw .tooLong(limit: characters) }
    guard !utf8.contains(0) else { throw .nul }
    guard count <= characters else { throw .tooLong(limit: characters) }
  }
}
