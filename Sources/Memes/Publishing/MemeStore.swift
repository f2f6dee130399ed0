package import Bytes

/// Stores memes and their files. Each call is one transaction. Changes are durable on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``. Inserting, replacing and claiming a meme may also throw ``MemeError/quotaExceeded(_:)``.
package protocol MemeStore: Sendable {
  /// Stores the meme and its files.
  ///
  /// - Parameter answer: stored together with the meme. If its key already has a response, nothing is written.
  /// - Throws: the errors of ``draftDigest(of:by:)``; ``MemeError/unauthorized`` if the author's account was deleted;
  ///   ``MemeError/invalid(field:_:)`` if the original is an upload that has expired, or a template that was deleted.
  func insert(_ meme: NewMeme, answering answer: IdempotencyRecord?) async throws -> Insertion

  /// Replaces this version of a meme, together with the files that changed.
  ///
  /// - Parameter entry: written if the viewer is an admin and edits another user's meme.
  /// - Returns: the current meme, with its current counts.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the meme; ``MemeError/versionMismatch`` if the meme has another version, checked in the same
  ///   transaction; ``MemeError/invalid(field:_:)`` if the new original is an upload that has expired.
  func replace(
    _ version: Int, with revised: RevisedMeme, by viewer: Principal, recording entry: AuditEntry?
  ) async throws -> Meme

  /// Makes the user the author of a meme that has none. Changes nothing if the user already is the author.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/claimed`` if the meme has another author;
  ///   ``MemeError/unauthorized`` if the account was deleted.
  func claim(_ id: MemeID, for person: UserID) async throws -> Meme

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func meme(_ id: MemeID, for viewer: Principal) async throws -> Meme

  /// The user as an author; `nil` if the account was deleted.
  func author(_ person: UserID) async throws -> Author?

  /// The digest of the draft from which the viewer's meme with this ID was made; `nil` if the ID is free.
  ///
  /// - Throws: ``MemeError/gone`` if the ID belonged to a meme that the viewer could see; ``MemeError/idTaken`` if it
  ///   belongs or belonged to another meme.
  func draftDigest(of id: MemeID, by viewer: Principal) async throws -> Digest?

  /// A page of memes.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the author of the list.
  func page(_ listing: MemeListing) async throws -> Page<Meme>

  /// The same page, as rows of a table.
  func tableRows(_ listing: MemeListing) async throws -> Page<TableRow>

  /// The same page, as cells of a grid.
  func gridCells(_ listing: MemeListing) async throws -> Page<GridCell>

  /// One of the meme's files, and the version of the meme. Only viewers who own the meme can read its original.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func picture(
    _ role: PictureRole, of id: MemeID, for viewer: Principal
  ) async throws -> StoredPicture

  /// One of the files of this version of the meme, read on the calling thread. Does not check access rights: the viewer
  /// must already be authorized.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/versionMismatch`` if the
  ///   meme has another version.
  func file(_ role: PictureRole, of id: MemeID, at version: Int) throws -> Bytes

  /// Deletes the meme for all viewers. The ID stays taken as long as the deletion is on record.
  ///
  /// - Parameters:
  ///   - restorable: whether to keep the meme's files for ``restore(_:by:deletedAfter:recording:)``.
  ///   - entry: written in the same transaction if the meme is not the viewer's own.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the meme; ``MemeError/versionMismatch`` if the meme has another version than the condition
  ///   requires, checked in the same transaction.
  func delete(
    _ id: MemeID, if condition: VersionCondition, by viewer: Principal, at time: Timestamp,
    restorable: Bool, recording entry: AuditEntry?
  ) async throws

  /// Restores a deleted meme unchanged, at its old position in lists.
  ///
  /// - Parameters:
  ///   - horizon: memes deleted at this time or earlier stay deleted.
  ///   - entry: written in the same transaction if the meme was deleted and is not the viewer's own.
  /// - Returns: the meme, also if it was not deleted.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the meme.
  func restore(
    _ id: MemeID, by viewer: Principal, deletedAfter horizon: Timestamp,
    recording entry: AuditEntry?
  ) async throws -> Meme

  /// Purges one batch of memes that were deleted at `horizon` or earlier, oldest first. Only the
  /// deletions stay on record.
  ///
  /// - Returns: the purged memes; empty if nothing is left to purge.
  func purge(deletedUpTo horizon: Timestamp, _ batch: PurgeBatch) async throws
    -> [MemeID]

  /// Verifies that writes reach the disk, with a write that changes nothing.
  func checkHealth() async throws
}

extension MemeStore {
  /// Stores a meme without an idempotency key.
  package func insert(_ meme: NewMeme) async throws -> Insertion {
    try await insert(meme, answering: nil)
  }
}

/// A meme with its files, ready to be stored.
package struct NewMeme: Sendable {
  package internal(set) var meme: Meme
  /// The digest of the whole draft. It shows whether another request with the same ID is a repeated request.
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

/// The source of the bytes of a meme's new file.
package enum FileSource: Sendable {
  case bytes(Bytes)
  /// Bytes that are already in the store, which copies them.
  case upload(UploadID)
  case template(TemplateID)
}

/// A stored file of a meme.
package struct StoredPicture: Sendable {
  package let file: PictureFile
  /// The version of the meme, read in the same transaction as the file.
  package let version: Int
  package let visibility: Visibility

  package init(file: PictureFile, version: Int, visibility: Visibility) {
    (self.file, self.version, self.visibility) = (file, version, visibility)
  }
}

/// The result of inserting a meme.
package enum Insertion: Sendable {
  /// The meme is stored.
  case inserted
  /// The author already has a meme with this ID, made from a draft with this digest. Nothing was written.
  case taken(draftDigest: Digest)
  /// The key's first request already has a response. Nothing was written.
  case answered(IdempotencyRecord)

  /// Whether the meme was written.
  var isInserted: Bool { if case .inserted = self { true } else { false } }
}
