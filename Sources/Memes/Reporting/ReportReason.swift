/// Why something is reported: 1 to 1000 characters.
package struct ReportReason: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The bound in bytes that is checked before characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    self.text = text
  }

  /// A text that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}

/// What an admin writes about a report, for admins: up to 1000 characters.
package struct ReportNote: Hashable, Sendable {
  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(
      characters: ReportReason.maximumCharacters, bytes: ReportReason.maximumBytes)
    self.text = text
  }

  /// A text that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}
