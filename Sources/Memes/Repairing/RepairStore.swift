/// What ``Repairing`` needs of a store to write. One call is one transaction, and durable when it returns.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol RepairStore: Sendable {
  /// Removes a table's rows that refer to what is not there, or has them refer to nothing where they are more than that.
  ///
  /// - Returns: how many rows were changed.
  func mendReferences(of table: String) async throws(MemeError) -> Int

  /// A meme's recipe, and what is known of its pictures: of those that have a row.
  ///
  /// - Throws: ``MemeError/notFound`` where there is no such meme.
  func drawing(of meme: Int64) async throws(MemeError) -> KeptDrawing

  /// Writes what is known of a meme's picture, where its digest is this one.
  func setFacts(
    _ facts: PictureFacts, of role: PictureRole, of meme: Int64
  ) async throws(MemeError)

  /// Puts pictures in the place of a meme's. Where one is not the one that was there once, the meme has a new version: an address of a version
  /// never gives two files. Pictures that were made of the image go.
  ///
  /// - Returns: the version that the meme has now, where it is a new one.
  func replace(
    _ files: [PictureRole: PictureFile], of meme: Int64
  ) async throws(MemeError) -> Int?

  func removeDerived(width: Int, format: OutputFormat, of meme: Int64) async throws(MemeError)

  func replaceThumbnail(of template: Int64, by file: PictureFile) async throws(MemeError)

  func replace(
    _ file: PictureFile, as size: AvatarSize, ofAvatar person: Int64
  ) async throws(MemeError)

  /// With its pieces.
  func removeUnfinishedUpload(_ upload: Int64) async throws(MemeError)

  /// Removes bytes that belong to nothing.
  func removeBlobs(_ blobs: ArraySlice<Int64>) async throws(MemeError)

  /// Counts anew what a column keeps the number of.
  ///
  /// - Returns: in how many rows it was another number.
  func recount(_ column: String, of table: String) async throws(MemeError) -> Int

  /// Tells clients of each change that they are not told of as it is.
  ///
  /// - Parameter time: when what is found to be gone is said to have been deleted.
  /// - Returns: how many memes are told of.
  func rewriteChanges(at time: Timestamp) async throws(MemeError) -> Int
}

/// What a meme is drawn by.
package struct KeptDrawing: Sendable {
  package let recipe: Recipe
  /// Of those of its pictures that have a row.
  package let pictures: [PictureRole: PictureFacts]

  package init(recipe: Recipe, pictures: [PictureRole: PictureFacts]) {
    (self.recipe, self.pictures) = (recipe, pictures)
  }
}
