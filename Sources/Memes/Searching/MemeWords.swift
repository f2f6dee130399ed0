/// What a meme is found by.
package struct MemeWords: Hashable, Sendable {
  package let captions: SearchWords
  /// Those of the alternative text, where they are others than those of the captions: it is made of them where nobody writes one.
  package let altText: SearchWords

  /// - Parameter captions: in their order.
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
