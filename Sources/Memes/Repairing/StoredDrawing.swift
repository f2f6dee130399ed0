/// The stored recipe and picture facts of a meme.
package struct StoredDrawing: Sendable {
  package let recipe: Recipe
  /// The facts of the pictures that have a row.
  package let pictures: [PictureRole: PictureFacts]

  package init(recipe: Recipe, pictures: [PictureRole: PictureFacts]) {
    (self.recipe, self.pictures) = (recipe, pictures)
  }
}
