/// Deletes memes, and restores them while they are in the trash.
package struct Removing: Sendable {
  private let store: any MemeStore
  private let trash: Trash
  private let now: @Sendable () -> Timestamp

  package init(store: any MemeStore, trash: Trash, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.trash, self.now) = (store, trash, now)
  }

  /// Deletes the meme. When this returns, nobody sees it any more, also after a crash.
  ///
  /// Where its owner has deleted it, an admin's deletion keeps them from restoring it.
  ///
  /// - Parameter request: names the request in the log of what admins do.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` where the viewer does not own it, ``MemeError/versionMismatch`` where it is at a
  ///   version that the viewer does not mean; then nothing is done.
  package func delete(
    _ id: MemeID, if condition: VersionCondition = .any, by viewer: Viewer, request: String
  ) async throws(MemeError) {
    let time = now()
    try await store.delete(
      id, if: condition, by: viewer, at: time, restorable: trash.keepsAnything,
      recording: AuditEntry(at: time, viewer, .deleteMeme, .meme(id), request))
  }

  /// Takes the meme out of the trash: it is what and where it was before. When this returns, that is durable.
  ///
  /// Restoring what is not deleted changes nothing, so a client may repeat a request whose answer it lost. What an admin deleted
  /// of others is restored by admins alone: for everybody else its time is over at once.
  ///
  /// - Parameter request: names the request in the log of what admins do.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` where the viewer does not own it; ``MemeError/gone`` where the time is over.
  package func restore(
    _ id: MemeID, by viewer: Viewer, request: String
  ) async throws(MemeError) -> Meme {
    let time = now()
    return try await store.restore(
      id, by: viewer, deletedAfter: trash.horizon(at: time),
      recording: AuditEntry(at: time, viewer, .restoreMeme, .meme(id), request))
  }
}
