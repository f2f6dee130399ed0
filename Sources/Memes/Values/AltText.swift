/// What a screen reader says in place of the picture: up to 1000 characters.
package struct AltText: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The bound in bytes that is checked before characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    self.text = text
  }

  /// What is said where nobody wrote a text: the captions, top first.
  package init(describing top: CaptionText, _ bottom: CaptionText) {
    let captions = [top, bottom].filter { !$0.isBlank }.map {
      $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    text = captions.isEmpty ? "A picture without a caption." : captions.joined(separator: " – ")
  }
}
