/// What somebody searches for: words that must all be there.
package struct SearchQuery: Hashable, Sendable {
  /// As long as a caption, so that one can be looked for as a whole.
  package static let maximumCharacters = CaptionText.maximumCharacters
  /// Of all words together.
  package static let maximumPieces = 64

  /// Empty if there is no letter or digit in the text: then nothing matches.
  package let words: SearchWords

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: CaptionText.maximumBytes)
    words = SearchWords(text)
    guard words.pieces.count <= Self.maximumPieces else {
      throw InvalidValue(
        code: "too-many",
        message: "At most \(Self.maximumPieces) words, or letters of scripts without spaces.")
    }
  }
}
