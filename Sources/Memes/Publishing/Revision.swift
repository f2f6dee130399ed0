/// What a meme is to become.
package struct Revision: Sendable {
  package var recipe: Recipe
  /// `nil`: made from the captions.
  package var altText: AltText?
  package var visibility: Visibility
  package var format: OutputFormat?
  /// In place of the one that the meme was made of.
  package var picture: PictureSource?

  package init(
    recipe: Recipe, altText: AltText?, visibility: Visibility, format: OutputFormat?,
    picture: PictureSource? = nil
  ) {
    (self.recipe, self.altText, self.visibility) = (recipe, altText, visibility)
    (self.format, self.picture) = (format, picture)
  }

  /// What the meme is now.
  package init(of meme: Meme) {
    self.init(
      recipe: meme.recipe, altText: meme.writtenAltText, visibility: meme.visibility,
      format: meme.format)
  }

  /// The text that goes with it.
  var settledAltText: AltText { altText ?? AltText(describing: recipe.texts) }
}

extension Meme {
  /// `nil` where the text is the one that is made from the captions: it changes with them.
  package var writtenAltText: AltText? {
    altText == AltText(describing: recipe.texts) ? nil : altText
  }

  /// The kind of file that the meme was drawn as.
  package var format: OutputFormat? { OutputFormat(rawValue: image.format.rawValue) }
}

/// A meme as it is after an edit, ready to be kept.
package struct RevisedMeme: Sendable {
  package internal(set) var meme: Meme
  /// The files that are other ones now, by what they are.
  package let files: [PictureRole: FileSource]

  package init(meme: Meme, files: [PictureRole: FileSource]) {
    (self.meme, self.files) = (meme, files)
  }
}
