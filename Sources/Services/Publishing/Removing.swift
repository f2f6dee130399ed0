package import Memes
package import Storage

/// Deletes memes, and restores them from the trash.
package struct Removing: Sendable {
  private let store: MemeStore
  private let trash: Trash
  private let now: @Sendable () -> Timestamp

  package init(store: MemeStore, trash: Trash, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.trash, self.now) = (store, trash, now)
  }

  /// Deletes the meme. On return, it is no longer visible, even after a crash.
  ///
  /// If the owner already deleted the meme, an admin can delete it again: then the owner can no longer restore it.
  ///
  /// - Parameter request: the request ID, for the audit log.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer does not own the meme;
  ///   ``MemeError/versionMismatch`` if the meme has another version than the condition requires. Nothing changes then.
  package func delete(
    _ id: MemeID, if condition: VersionCondition = .any, by viewer: Principal, request: String
  ) async throws {
    let time = now()
    try await store.delete(
      id, if: condition, by: viewer, at: time, restorable: trash.keepsAnything,
      recording: AuditEntry(at: time, viewer, .deleteMeme, .meme(id), request))
  }

  /// Restores the meme from the trash, unchanged and in its old place. On return, the change is durable.
  ///
  /// Restoring a meme that is not deleted changes nothing, so a client may repeat a request after it lost the response.
  /// If an admin deleted the meme of another user, only admins can restore it.
  ///
  /// - Parameter request: the request ID, for the audit log.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer does not own the meme;
  ///   ``MemeError/gone`` if it can no longer be restored.
  package func restore(
    _ id: MemeID, by viewer: Principal, request: String
  ) async throws -> Meme {
    let time = now()
    return try await store.restore(
      id, by: viewer, deletedAfter: trash.horizon(at: time),
      recording: AuditEntry(at: time, viewer, .restoreMeme, .meme(id), request))
  }
}
