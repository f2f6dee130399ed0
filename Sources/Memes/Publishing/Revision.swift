/// The editable state of a meme after an edit.
package struct Revision: Sendable {
  package var recipe: Recipe
  /// `nil` derives the text from the captions.
  package var altText: AltText?
  package var tags: [Tag]
  package var visibility: Visibility
  package var format: OutputFormat?
  /// Replaces the original picture; `nil` keeps it.
  package var picture: PictureSource?
  /// Replaces the pictures in boxes; `nil` keeps them.
  package var boxed: [BoxedPicture.Source]?

  package init(
    recipe: Recipe, altText: AltText?, tags: [Tag] = [], visibility: Visibility,
    format: OutputFormat?, picture: PictureSource? = nil
  ) {
    (self.recipe, self.altText, self.tags, self.visibility) = (recipe, altText, tags, visibility)
    (self.format, self.picture) = (format, picture)
  }

  /// The current state of the meme.
  package init(of meme: Meme) {
    self.init(
      recipe: meme.recipe, altText: meme.writtenAltText, tags: meme.tags,
      visibility: meme.visibility,
      format: meme.format)
  }

  /// The alt text, derived from the captions if none was written.
  package var settledAltText: AltText { altText ?? AltText(describing: recipe.texts) }
}

extension Meme {
  /// `nil` if the text is derived from the captions, and changes with them.
  package var writtenAltText: AltText? {
    altText == AltText(describing: recipe.texts) ? nil : altText
  }

  /// The format of the meme's image.
  package var format: OutputFormat? { OutputFormat(rawValue: image.format.rawValue) }
}

/// An edited meme, ready to be stored.
package struct RevisedMeme: Sendable {
  package var meme: Meme
  /// The files that changed, without the pictures in boxes.
  private let changed: [PictureRole: FileSource]
  /// All pictures in boxes; `nil` if they did not change.
  package let boxed: [BoxedFile]?

  package init(meme: Meme, files: [PictureRole: FileSource], boxed: [BoxedFile]? = nil) {
    (self.meme, changed, self.boxed) = (meme, files, boxed)
  }

  /// The files that changed, in the order of their numbers.
  package var files: [NewPicture] {
    PictureRole.allCases.compactMap { role in
      changed[role].map { NewPicture(PictureNumber(role), meme.facts(of: role), $0) }
    } + (boxed ?? []).asNewPictures
  }
}
