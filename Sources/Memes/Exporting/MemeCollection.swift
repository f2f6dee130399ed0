package import Bytes

/// What ``CollectingMemes`` needs of a store. Every call is a short read of its own, on the calling thread, so that a server
/// beside it goes on.
///
/// May throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol MemeCollection: Sendable {
  /// How many memes there are, without those in the trash.
  ///
  /// - Parameter author: whose alone; `nil`: everybody's and nobody's.
  func count(of author: UserID?) throws(MemeError) -> Int

  /// The next memes by the time that they were made, those of one moment as lists have them.
  func memes(
    of author: UserID?, after place: CollectionPlace, limit: Int
  ) throws(MemeError) -> [(place: CollectionPlace, meme: Meme)]

  /// - Returns: the meme as it is now; `nil` where it is deleted.
  func meme(_ id: MemeID) throws(MemeError) -> Meme?

  /// As ``MemeStore/file(_:of:at:)``.
  func file(_ role: PictureRole, of id: MemeID, at version: Int) throws(MemeError) -> Bytes
}

/// Where a meme stands among all by the time that they were made.
package struct CollectionPlace: Sendable, Equatable {
  package let createdAt: Timestamp
  package let sequence: Int64

  package init(createdAt: Timestamp, sequence: Int64) {
    (self.createdAt, self.sequence) = (createdAt, sequence)
  }

  /// Before all memes.
  static let start = CollectionPlace(
    createdAt: Timestamp(millisecondsSince1970: .min), sequence: .min)
}

/// The folder that ``CollectingMemes`` fills. Safe to use from any thread, but for the list.
package protocol MemeFolder: Sendable {
  /// Whether the file is there already, by its size and digest.
  func holds(_ facts: PictureFacts, at path: String) throws -> Bool

  /// Writes a file, whole or not at all.
  func write(_ bytes: Bytes, at path: String) throws

  /// Adds a row to the list. Called in the order of the list, by one task.
  func list(_ meme: Meme, picture: String) throws

  /// Makes all files durable, then the list, and removes files that are of no meme in it.
  func finish(keeping paths: Set<String>) throws
}
