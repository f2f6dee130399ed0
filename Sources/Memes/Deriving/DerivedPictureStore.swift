/// What ``Deriving`` needs of a store. One call is one transaction; all may throw what ``MemeStore`` throws.
package protocol DerivedPictureStore: Sendable {
  /// The picture that is wanted of a meme's image, if it is there.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func find(
    _ wish: PictureWish, of id: MemeID, for viewer: Viewer
  ) async throws(MemeError) -> DerivedPicture

  /// Keeps a picture until others need its room. Pictures that were not used for the longest give way, in the same
  /// transaction.
  ///
  /// - Returns: whether it is kept: not where the meme is at another version, is deleted, or the picture would take too much
  ///   of the room.
  func keep(_ file: PictureFile, as key: DerivedPictureKey) async throws(MemeError) -> Bool
}

/// What a store has for a wish.
package enum DerivedPicture: Sendable {
  /// The meme's image itself.
  case image(StoredPicture)
  case kept(StoredPicture)
  /// It would have to be made.
  case missing(DerivedPictureKey, Visibility)
}

/// Which picture a derived one is: bytes that are the same for everybody.
package struct DerivedPictureKey: Hashable, Sendable {
  package let meme: MemeID
  /// The meme's, that the picture is of.
  package let version: Int
  package let derivation: Derivation

  package init(meme: MemeID, version: Int, derivation: Derivation) {
    (self.meme, self.version, self.derivation) = (meme, version, derivation)
  }
}
