/// What ``Syncing`` needs of a store. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol SyncStore: Sendable {
  /// Changes of the memes that are the viewer's own, in the order in which they were committed.
  ///
  /// - Parameter position: where the client is; `nil` for one that has nothing: it is not told what was deleted before.
  /// - Throws: ``MemeError/unauthorized`` where there is no such person; ``MemeError/cursorExpired`` where the place is of another
  ///   person or database, or a deletion behind it is not known any more.
  func changes(
    of viewer: Viewer, since position: SyncPosition?, limit: Int
  ) async throws(MemeError) -> SyncPage

  /// Where a client is that knows everything of the person's that is committed.
  ///
  /// - Throws: ``MemeError/unauthorized`` where there is no such person.
  func newestPosition(of person: UserID) async throws(MemeError) -> SyncPosition

  /// Forgets some of the memes that were purged, and deleted at `horizon` or before: the oldest first.
  ///
  /// - Returns: how many; 0 where there are no more.
  func pruneTombstones(
    deletedUpTo horizon: Timestamp, atMost count: Int
  ) async throws(MemeError) -> Int
}
