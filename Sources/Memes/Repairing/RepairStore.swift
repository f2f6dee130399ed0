/// Writes repairs for ``Repairing``. Each call is one transaction, and durable on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol RepairStore: Sendable {
  /// Deletes rows of a table that refer to missing rows. If a row is useful without the reference,
  /// clears the reference instead.
  ///
  /// - Returns: the number of changed rows.
  func mendReferences(of table: String) async throws -> Int

  /// A meme's recipe, and the facts of its pictures that have a row.
  ///
  /// - Throws: ``MemeError/notFound`` if there is no such meme.
  func drawing(of meme: Int64) async throws -> KeptDrawing

  /// Corrects the facts of a meme's picture, unless its digest is a different one.
  func setFacts(
    _ facts: PictureFacts, of role: PictureRole, of meme: Int64
  ) async throws

  /// Replaces pictures of a meme, and deletes all of its renditions. If one of the pictures differs from the earlier
  /// one, the meme gets a new version, because the address of a version must always return the same file.
  ///
  /// - Returns: the new version; `nil` if it did not change.
  func replace(
    _ files: [PictureRole: PictureFile], of meme: Int64
  ) async throws -> Int?

  func removeDerived(width: Int, format: OutputFormat, of meme: Int64) async throws

  func replaceThumbnail(of template: Int64, by file: PictureFile) async throws

  func replace(
    _ file: PictureFile, as size: AvatarSize, ofAvatar person: Int64
  ) async throws

  /// Deletes the upload and its pieces.
  func removeUnfinishedUpload(_ upload: Int64) async throws

  /// Deletes bytes that nothing refers to.
  func removeBlobs(_ blobs: ArraySlice<Int64>) async throws

  /// Recomputes a stored counter.
  ///
  /// - Returns: the number of rows that were wrong.
  func recount(_ column: String, of table: String) async throws -> Int

  /// Corrects the changes that clients sync, from the current memes.
  ///
  /// - Parameter time: the deletion time of memes that turn out to be missing.
  /// - Returns: the number of memes with a wrong change.
  func rewriteChanges(at time: Timestamp) async throws -> Int
}

/// The stored recipe and picture facts of a meme.
package struct KeptDrawing: Sendable {
  package let recipe: Recipe
  /// The facts of the pictures that have a row.
  package let pictures: [PictureRole: PictureFacts]

  package init(recipe: Recipe, pictures: [PictureRole: PictureFacts]) {
    (self.recipe, self.pictures) = (recipe, pictures)
  }
}
