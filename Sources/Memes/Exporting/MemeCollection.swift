package import Bytes

/// Reads memes for ``CollectingMemes``. Each call is a short read of its own on the calling thread, so a
/// running server can continue.
///
/// Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol MemeCollection: Sendable {
  /// The number of memes that are not deleted.
  ///
  /// - Parameter author: counts only the memes of this author; `nil` counts all memes.
  func count(of author: UserID?) throws -> Int

  /// The next memes, ordered by creation time. Memes with the same time are in the order of lists.
  func memes(
    of author: UserID?, after place: CollectionPlace, limit: Int
  ) throws -> [(place: CollectionPlace, meme: Meme)]

  /// The current meme; `nil` if it was deleted.
  func meme(_ id: MemeID) throws -> Meme?

  /// See ``MemeStore/file(_:of:at:)``.
  func file(_ role: PictureRole, of id: MemeID, at version: Int) throws -> Bytes
}

/// A position in the list of all memes, ordered by creation time.
package struct CollectionPlace: Sendable, Equatable {
  package let createdAt: Timestamp
  package let sequence: Int64

  package init(createdAt: Timestamp, sequence: Int64) {
    (self.createdAt, self.sequence) = (createdAt, sequence)
  }

  /// Before the first meme.
  static let start = CollectionPlace(
    createdAt: Timestamp(millisecondsSince1970: .min), sequence: .min)
}

/// The folder that ``CollectingMemes`` fills. Safe to use from any thread, except for the list.
package protocol MemeFolder: Sendable {
  /// Whether the folder already has this file, with the same size and digest.
  func holds(_ facts: PictureFacts, at path: String) throws -> Bool

  /// Writes a file completely or not at all.
  func write(_ bytes: Bytes, at path: String) throws

  /// Appends a row to the list. Called by one task, in the order of the list.
  func list(_ meme: Meme, picture: String) throws

  /// Makes all files durable, then the list. Afterwards, deletes the pictures of memes that are not in `paths`.
  func finish(keeping paths: Set<String>) throws
}
