/// What somebody searches for: words that must all be there.
package struct SearchQuery: Hashable, Sendable {
  /// As long as a caption, so that one can be looked for as a whole.
  package static let maximumCharacters = CaptionText.maximumCharacters
  /// Of all words together.
  package static let maximumPieces = 64

  package let words: SearchWords

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: CaptionText.maximumBytes)
    words = SearchWords(text)
    guard !words.isEmpty else {
      throw InvalidValue(code: "empty", message: "There is no word in it to search for.")
    }
    guard words.pieces.count <= Self.maximumPieces else {
      throw InvalidValue(
        code: "too-many",
        message: "At most \(Self.maximumPieces) words, or letters of scripts without spaces.")
    }
  }
}
