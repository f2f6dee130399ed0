package import Bytes

/// What the use cases need of a store of memes. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol MemeStore: Sendable {
  /// Keeps the meme and its files. When this returns they survive a crash of the machine.
  ///
  /// - Parameter answer: is kept with the meme, both or neither. Where its key has an answer already, nothing is written.
  /// - Throws: what ``draftDigest(of:by:)`` throws; ``MemeError/unauthorized`` where its author left meanwhile;
  ///   ``MemeError/invalid(field:_:)`` where the original is an upload that has expired.
  func insert(_ meme: NewMeme, answering answer: FirstAnswer?) async throws(MemeError) -> Insertion

  /// Puts a meme in the place of what it was at this version, with those of its files that are other ones. When this returns,
  /// that is durable.
  ///
  /// - Parameter entry: is kept where the viewer edits as an admin what is not theirs.
  /// - Returns: the meme as it is now: what is counted of it went on meanwhile.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized``, ``MemeError/forbidden`` where the viewer
  ///   does not own it (any more); ``MemeError/versionMismatch`` where the meme is not at this version
  ///   any more, decided in the same transaction; ``MemeError/invalid(field:_:)`` where its new original is an upload that
  ///   has expired.
  func replace(
    _ version: Int, with revised: RevisedMeme, by viewer: Viewer, recording entry: AuditEntry?
  ) async throws(MemeError) -> Meme

  /// Makes a meme that is nobody's the person's. When this returns, that is durable. Where it is theirs already, nothing changes.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/claimed`` where it is somebody else's;
  ///   ``MemeError/unauthorized`` where the person left meanwhile.
  func claim(_ id: MemeID, for person: UserID) async throws(MemeError) -> Meme

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func meme(_ id: MemeID, for viewer: Viewer) async throws(MemeError) -> Meme

  /// The person as an author; `nil` where they left.
  func author(_ person: UserID) async throws(MemeError) -> Author?

  /// The digest that this viewer's meme of this id was made with, or `nil` where the id is free.
  ///
  /// - Throws: ``MemeError/gone`` where it was that of a meme which this viewer could see; ``MemeError/idTaken`` where it is or
  ///   was that of another.
  func draftDigest(of id: MemeID, by viewer: Viewer) async throws(MemeError) -> Digest?

  /// Memes, newest first.
  ///
  /// - Throws: ``MemeError/notFound`` where there is no such author for this viewer.
  func page(_ listing: MemeListing) async throws(MemeError) -> Page<Meme>

  /// The same page, with what a table shows of it.
  func tableRows(_ listing: MemeListing) async throws(MemeError) -> Page<TableRow>

  /// The same page, with what a grid shows of it.
  func gridCells(_ listing: MemeListing) async throws(MemeError) -> Page<GridCell>

  /// One of the meme's files, with the version that it is of. The original is there for who owns the meme.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func picture(
    _ role: PictureRole, of id: MemeID, for viewer: Viewer
  ) async throws(MemeError) -> StoredPicture

  /// One of the files that the meme has at this version, read on the calling thread: for what is drawn of a meme that somebody
  /// was shown.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/versionMismatch`` where the meme is not at this version.
  func file(_ role: PictureRole, of id: MemeID, at version: Int) throws(MemeError) -> Bytes

  /// Hides the meme from everybody. When this returns it is durable. The id stays taken until the meme is forgotten.
  ///
  /// - Parameters:
  ///   - restorable: whether the meme's files are kept, for ``restore(_:by:deletedAfter:recording:)``.
  ///   - entry: is written in the same transaction, where the meme is not the viewer's own.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized``, ``MemeError/forbidden`` where the viewer
  ///   does not own it; ``MemeError/versionMismatch`` where the condition does not allow
  ///   the version that the meme is at, decided in the same transaction.
  func delete(
    _ id: MemeID, if condition: VersionCondition, by viewer: Viewer, at time: Timestamp,
    restorable: Bool, recording entry: AuditEntry?
  ) async throws(MemeError)

  /// Shows the meme again as it was, in its old place in the list. When this returns it is durable.
  ///
  /// - Parameters:
  ///   - horizon: what was deleted then or before stays deleted.
  ///   - entry: is written in the same transaction, where the meme was deleted and is not the viewer's own.
  /// - Returns: the meme; one that was not deleted too.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized``, ``MemeError/forbidden`` where the viewer
  ///   does not own it.
  func restore(
    _ id: MemeID, by viewer: Viewer, deletedAfter horizon: Timestamp,
    recording entry: AuditEntry?
  ) async throws(MemeError) -> Meme

  /// Removes for good some of what was deleted at `horizon` or before: the oldest first, and of each all but its id.
  ///
  /// - Returns: what was removed; nothing where there is nothing more to remove.
  func purge(deletedUpTo horizon: Timestamp, _ batch: PurgeBatch) async throws(MemeError)
    -> [MemeID]

  /// Writes, to show that what is written reaches the disk; nothing is changed.
  func checkHealth() async throws(MemeError)
}

extension MemeStore {
  /// Keeps a meme that was sent without a key.
  package func insert(_ meme: NewMeme) async throws(MemeError) -> Insertion {
    try await insert(meme, answering: nil)
  }
}

/// A meme with its files, ready to be kept.
package struct NewMeme: Sendable {
  package internal(set) var meme: Meme
  /// Of everything that the client sent: tells whether a second request with the same id is the same request.
  package let draftDigest: Digest
  package let original: FileSource
  package let image: Bytes
  package let tableThumbnail: Bytes
  package let gridThumbnail: Bytes

  package init(
    meme: Meme, draftDigest: Digest, original: FileSource, image: Bytes,
    tableThumbnail: Bytes, gridThumbnail: Bytes
  ) {
    (self.meme, self.draftDigest, self.original) = (meme, draftDigest, original)
    (self.image, self.tableThumbnail, self.gridThumbnail) = (image, tableThumbnail, gridThumbnail)
  }

  package func file(of role: PictureRole) -> FileSource {
    switch role {
    case .original: original
    case .image: .bytes(image)
    case .tableThumbnail: .bytes(tableThumbnail)
    case .gridThumbnail: .bytes(gridThumbnail)
    }
  }
}

/// Where the bytes of a meme's new file are.
package enum FileSource: Sendable {
  case bytes(Bytes)
  /// In the store already, which copies them.
  case upload(UploadID)
  case template(TemplateID)
}

/// A file of a meme as it is kept.
package struct StoredPicture: Sendable {
  package let file: PictureFile
  /// The meme's, read in the same transaction as the file.
  package let version: Int
  package let visibility: Visibility

  package init(file: PictureFile, version: Int, visibility: Visibility) {
    (self.file, self.version, self.visibility) = (file, version, visibility)
  }
}

package enum Insertion: Sendable {
  /// The meme is kept.
  case inserted
  /// The author has a meme of this id, made with this draft digest. Nothing was written.
  case taken(draftDigest: Digest)
  /// The key's first request was answered before. Nothing was written.
  case answered(FirstAnswer)

  /// Whether something was written.
  var isInserted: Bool { if case .inserted = self { true } else { false } }
}
