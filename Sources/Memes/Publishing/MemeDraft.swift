/// What somebody sends to make a meme.
package struct MemeDraft: Sendable {
  package var id: MemeID?
  package var picture: PictureSource
  package var recipe: Recipe
  /// `nil`: made from the captions.
  package var altText: AltText?
  package var visibility = Visibility.public
  /// The fields that were not in the request and that the person's settings decided.
  package var leftToSettings: [SettingField] = []
  /// `nil`: what suits the picture, of ``acceptableFormats``.
  package var format: OutputFormat?
  /// Where ``format`` is `nil`: the kinds that the client would have. Not part of what makes two drafts the same, since
  /// it says how the answer is wanted and not what was sent.
  package var acceptableFormats = OutputFormat.allCases

  package init(
    id: MemeID? = nil, picture: PictureSource, recipe: Recipe = Recipe(), altText: AltText? = nil,
    format: OutputFormat? = nil
  ) {
    (self.id, self.picture, self.recipe) = (id, picture, recipe)
    (self.altText, self.format) = (altText, format)
  }
}

/// A field of a draft that a person's settings decide if the request does not have it. Its name is that of the field.
package enum SettingField: String, CaseIterable, Sendable {
  case layout, font, fill, outline, outlineWidth, size
  case letterCase = "case"
  case align, visibility
}
