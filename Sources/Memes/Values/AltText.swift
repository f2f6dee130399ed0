/// What a screen reader says in place of the picture: up to 1000 characters.
package struct AltText: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The bound in bytes that is checked before characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    self.text = try text.keptAsTyped()
  }

  /// Text that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// What is said where nobody wrote a text: the captions in their order, as many of their characters as there may be.
  package init(describing captions: [CaptionText]) {
    text = Self.line(of: captions) ?? "A picture without a caption."
  }

  /// The captions in one line; `nil` where there are none.
  static func line(of captions: [CaptionText]) -> String? {
    let captions = captions.filter { !$0.isBlank }.map {
      $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    guard !captions.isEmpty else { return nil }
    return String(captions.joined(separator: " – ").prefix(maximumCharacters))
      .prefixed(toBytes: maximumBytes)
  }
}

extension String {
  /// The first characters, as many as have no more bytes than that together.
  fileprivate func prefixed(toBytes limit: Int) -> String {
    var text = self
    while text.utf8.count > limit { text.removeLast() }
    return text
  }
}
