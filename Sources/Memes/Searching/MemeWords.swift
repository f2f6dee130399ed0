/// The searchable words of a meme.
package struct MemeWords: Hashable, Sendable {
  package let captions: SearchWords
  /// The words of the alt text; empty if they equal those of the captions, as they do for a derived alt text.
  package let altText: SearchWords

  /// - Parameter captions: in order.
  package init(captions: [CaptionText], altText: AltText) {
    self.captions = SearchWords(captions.map(\.text).joined(separator: "\n"))
    let alternative = SearchWords(altText.text)
    self.altText = alternative == self.captions ? SearchWords("") : alternative
  }
}

extension Meme {
  package var searchWords: MemeWords {
    MemeWords(
      captions: [recipe.top, recipe.bottom] + recipe.captions.map(\.text), altText: altText)
  }
}
