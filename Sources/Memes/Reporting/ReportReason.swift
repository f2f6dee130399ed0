/// The reason for a report: 1 to 1000 characters.
package struct ReportReason: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    self.text = text
  }

  /// Creates a text that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}

/// An admin's note on a report, visible to admins: up to 1000 characters.
package struct ReportNote: Hashable, Sendable {
  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(
      characters: ReportReason.maximumCharacters, bytes: ReportReason.maximumBytes)
    self.text = text
  }

  /// Creates a text that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}
