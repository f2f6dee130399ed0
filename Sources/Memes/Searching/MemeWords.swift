/// The searchable words of a meme.
package struct MemeWords: Hashable, Sendable {
  package let captions: SearchWords
  /// The words of the alt text, unless they equal those of the captions, as they do for a derived alt text, and of the
  /// tags.
  package let altText: SearchWords

  /// - Parameter captions: in order.
  package init(captions: [CaptionText], altText: AltText, tags: [Tag]) {
    self.captions = SearchWords(captions.map(\.text).joined(separator: "\n"))
    let alternative = SearchWords(altText.text)
    let other = alternative == self.captions ? "" : altText.text
    self.altText =
      tags.isEmpty && !other.isEmpty
      ? alternative : SearchWords(([other] + tags.map(\.text)).joined(separator: "\n"))
  }
}

extension Meme {
  package var searchWords: MemeWords {
    MemeWords(
      captions: [recipe.top, recipe.bottom] + recipe.captions.map(\.text), altText: altText,
      tags: tags)
  }
}
