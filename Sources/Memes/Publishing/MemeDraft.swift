/// The contents of a request to make a meme.
package struct MemeDraft: Sendable {
  package var id: MemeID?
  package var picture: PictureSource
  package var recipe: Recipe
  /// `nil` derives the text from the captions.
  package var altText: AltText?
  package var tags: [Tag] = []
  /// Texts for the boxes of the template, in their order; `nil` if the captions of the recipe are drawn.
  package var texts: [CaptionText]?
  /// The pictures for the boxes of the recipe, in their order.
  package var boxed: [BoxedPicture.Source] = []
  package var visibility = Visibility.public
  /// The fields that the request left out and that the user's settings provided.
  package var leftToSettings: [SettingField] = []
  /// `nil` chooses the best of ``acceptableFormats`` for the picture.
  package var format: OutputFormat?
  /// The formats that the client accepts, if ``format`` is `nil`. Not part of the digest of a draft: they describe the
  /// response, not the meme.
  package var acceptableFormats = OutputFormat.allCases
  /// The size of the canvas in whose middle the picture is put; `nil` for none. Only memes by address have one.
  package var canvas: PixelSize?
  /// The size that the meme must not exceed, including its bars; `nil` for none. Only memes by address have one.
  package var sizeLimit: PixelSize?

  package init(
    id: MemeID? = nil, picture: PictureSource, recipe: Recipe = Recipe(), altText: AltText? = nil,
    format: OutputFormat? = nil
  ) {
    (self.id, self.picture, self.recipe) = (id, picture, recipe)
    (self.altText, self.format) = (altText, format)
  }
}

extension MemeDraft {
  /// Sets the pictures in boxes, and the boxes.
  package mutating func take(_ pictures: [BoxedPicture]) {
    (boxed, recipe.pictures) = (pictures.map(\.source), pictures.map(\.box))
  }
}

/// A field that the user's settings provide if the request leaves it out. The raw value is the name of the field.
package enum SettingField: String, CaseIterable, Sendable {
  case layout, font, fill, outline, outlineWidth, size
  case letterCase = "case"
  case align, visibility
}
