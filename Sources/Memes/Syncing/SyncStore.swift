/// Reads and prunes the record of changes for ``Syncing``. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol SyncStore: Sendable {
  /// A page of the changes of the viewer's own memes, in commit order.
  ///
  /// - Parameter position: the client's position; `nil` for an empty copy, which needs no earlier deletions.
  /// - Throws: ``MemeError/unauthorized`` if there is no such user; ``MemeError/cursorExpired`` if the position belongs
  ///   to another user or database, or deletions after it are no longer on record.
  func changes(
    of viewer: Principal, since position: SyncPosition?, limit: Int
  ) async throws -> SyncPage

  /// The position of a client that has all committed changes of the user.
  ///
  /// - Throws: ``MemeError/unauthorized`` if there is no such user.
  func newestPosition(of person: UserID) async throws -> SyncPosition

  /// Deletes the records of some purged memes that were deleted at `horizon` or earlier, oldest first.
  ///
  /// - Parameter count: the maximum number of records.
  /// - Returns: the number of deleted records; 0 if nothing is left to delete.
  func pruneTombstones(
    deletedUpTo horizon: Timestamp, atMost count: Int
  ) async throws -> Int
}
