/// The biography of a user: 1 to 500 characters.
package struct Biography: Hashable, Sendable {
  package static let maximumCharacters = 500
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 8192

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    guard !text.isEmpty else {
      throw InvalidValue(code: "empty", message: "Must not be empty. Send null to clear it.")
    }
    self.text = try text.keptAsTyped()
  }

  /// Creates a biography that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}
