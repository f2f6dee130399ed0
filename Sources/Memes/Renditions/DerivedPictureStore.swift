/// Stores renditions that can be made again. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol DerivedPictureStore: Sendable {
  /// Looks up the requested rendition of a meme's image.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func find(
    _ wish: RenditionRequest, of id: MemeID, for viewer: Principal
  ) async throws -> DerivedPicture

  /// Stores a rendition. If the cache is full, evicts the least recently used renditions in the same transaction.
  ///
  /// - Returns: whether the rendition is stored. It is not if the meme has another version or was deleted, or if the
  ///   picture is too large for the cache.
  func keep(_ file: PictureFile, as key: DerivedPictureKey) async throws -> Bool
}

/// The result of looking up a rendition.
package enum DerivedPicture: Sendable {
  /// The request matches the meme's image itself.
  case image(StoredPicture)
  case kept(StoredPicture)
  /// The rendition is not stored. It must be made.
  case missing(DerivedPictureKey, Visibility)
}

/// Identifies a rendition. Its bytes are the same for every viewer.
package struct DerivedPictureKey: Hashable, Sendable {
  package let meme: MemeID
  /// The version of the meme.
  package let version: Int
  package let derivation: Derivation

  package init(meme: MemeID, version: Int, derivation: Derivation) {
    (self.meme, self.version, self.derivation) = (meme, version, derivation)
  }
}
