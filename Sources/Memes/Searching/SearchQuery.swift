/// A search for memes that contain all of these words.
package struct SearchQuery: Hashable, Sendable {
  /// The maximum length of a caption, so that a whole caption can be searched for.
  package static let maximumCharacters = CaptionText.maximumCharacters
  /// The maximum number of pieces of all words together.
  package static let maximumPieces = 64

  /// Empty if the text has no letter or digit: then nothing matches.
  package let words: SearchWords

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: CaptionText.maximumBytes)
    words = SearchWords(text)
    guard words.pieces.count <= Self.maximumPieces else {
      throw InvalidValue(
        code: "too-many",
        message:
          "Must have at most \(Self.maximumPieces) words, or characters of scripts without spaces.")
    }
  }
}
