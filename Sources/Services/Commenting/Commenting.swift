package import Memes
package import Storage

/// Creates, lists, edits and deletes comments on memes.
package struct Commenting: Sendable {
  private let store: CommentStore
  private let memes: MemeStore
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> CommentID
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk has room for more data; the rest is reserved for deletions.
  package init(
    store: CommentStore, memes: MemeStore, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> CommentID, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.memes, self.retrying) = (store, memes, retrying)
    (self.now, self.newID, self.hasRoom) = (now, newID, hasRoom)
  }

  /// Stores a comment. On return, the comment is durable and counted.
  ///
  /// - Parameter retry: set if the request has an idempotency key.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme;
  ///   ``MemeError/unauthorized`` if the account was deleted; ``MemeError/storageFull``;
  ///   ``MemeError/keyInUse``; ``MemeError/keyReused``.
  package func write(
    _ text: CommentText, on meme: MemeID, by viewer: Principal, under retry: Retry<Comment>? = nil
  ) async throws -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) {
      guard hasRoom() else { throw MemeError.storageFull }
      guard let person = viewer.person, let author = try await memes.author(person) else {
        throw MemeError.unauthorized
      }
      let time = now()
      let comment = Comment(
        id: newID(time), on: meme, version: 1, author: author, text: text, createdAt: time,
        editedAt: nil, canEdit: true, canDelete: true)
      let answer = retry?.first(making: comment, id: comment.id.uuid, at: time)
      let first = try await store.insert(comment, by: viewer, answering: answer)
      guard let first else { return .written(comment) }
      return .repeated(try first.repeated(for: retry?.request))
    }
  }

  /// A page of the comments on a meme. Comments of users who block the viewer, or whom the viewer blocks, are left out.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func page(
    on meme: MemeID, for viewer: Principal, _ order: CommentOrder, after position: ListPosition?,
    limit: PageLimit
  ) async throws -> Page<Comment> {
    try await store.comments(
      on: meme, for: viewer, order, after: position, limit: limit.count)
  }

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func comment(
    _ id: CommentID, for viewer: Principal
  ) async throws -> Comment { try await store.comment(id, for: viewer) }

  /// Replaces the text of a comment. On return, the change is durable. The same text changes nothing, so a client may
  /// repeat a request after it lost the response.
  ///
  /// - Returns: the current comment.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/forbidden`` if the viewer is not the author;
  ///   ``MemeError/versionMismatch`` if the comment has another version than the condition requires.
  package func edit(
    _ id: CommentID, to text: CommentText, if condition: VersionCondition, by viewer: Principal
  ) async throws -> Comment {
    try await store.replace(id, with: text, if: condition, by: viewer, at: now())
  }

  /// Deletes a comment for good. On return, the deletion is durable and counted.
  ///
  /// - Parameter request: the request ID, for the audit log.
  /// - Throws: the same errors as ``edit(_:to:if:by:)``; ``MemeError/unauthorized`` if the viewer is not signed in.
  package func delete(
    _ id: CommentID, if condition: VersionCondition, by viewer: Principal, request: String
  ) async throws {
    let time = now()
    let entry = Authority(viewer, request: request).map {
      AuditEntry(at: time, $0, .deleteComment, id.description)
    }
    try await store.delete(id, if: condition, by: viewer, at: time, recording: entry)
  }

  /// The result of creating a comment.
  package enum Outcome: Sendable {
    case written(Comment)
    /// The stored response of an earlier request with the same key.
    case repeated(IdempotencyRecord)
  }
}
