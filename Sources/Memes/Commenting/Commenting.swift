/// Lets people write about memes.
package struct Commenting: Sendable {
  private let store: any CommentStore
  private let memes: any MemeStore
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> CommentID
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk takes more; what is left below that is for deletions.
  package init(
    store: any CommentStore, memes: any MemeStore, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> CommentID, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.memes, self.retrying) = (store, memes, retrying)
    (self.now, self.newID, self.hasRoom) = (now, newID, hasRoom)
  }

  /// Keeps a comment. When this returns, it is durable and counted.
  ///
  /// - Parameter retry: set where the request came with a key.
  /// - Throws: ``MemeError/notFound`` and ``MemeError/gone`` where there is no such meme for the person;
  ///   ``MemeError/unauthorized`` where they left meanwhile; ``MemeError/storageFull``; ``MemeError/keyInUse`` and
  ///   ``MemeError/keyReused``.
  package func write(
    _ text: CommentText, on meme: MemeID, by viewer: Viewer, under retry: Retry<Comment>? = nil
  ) async throws(MemeError) -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) { () async throws(MemeError) in
      guard hasRoom() else { throw .storageFull }
      guard let person = viewer.person, let author = try await memes.author(person) else {
        throw .unauthorized
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

  /// A page of what was written about a meme, without what people wrote who are apart from the viewer.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func page(
    on meme: MemeID, for viewer: Viewer, _ order: CommentOrder, after position: ListPosition?,
    limit: PageLimit
  ) async throws(MemeError) -> Page<Comment> {
    try await store.comments(
      on: meme, for: viewer, order, after: position, limit: limit.count)
  }

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func comment(
    _ id: CommentID, for viewer: Viewer
  ) async throws(MemeError) -> Comment { try await store.comment(id, for: viewer) }

  /// Gives a comment another text. When this returns, that is durable. The same text changes nothing, so a client may repeat a
  /// request whose answer it lost.
  ///
  /// - Returns: the comment as it is now.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/forbidden`` where the viewer did not write it;
  ///   ``MemeError/versionMismatch`` where it is at a version that they do not mean.
  package func edit(
    _ id: CommentID, to text: CommentText, if condition: VersionCondition, by viewer: Viewer
  ) async throws(MemeError) -> Comment {
    try await store.replace(id, with: text, if: condition, by: viewer, at: now())
  }

  /// Deletes a comment for good. When this returns, that is durable and counted.
  ///
  /// - Parameter request: names the request in the log of what admins do.
  /// - Throws: as ``edit(_:to:if:by:)``; ``MemeError/unauthorized`` where nobody is signed in.
  package func delete(
    _ id: CommentID, if condition: VersionCondition, by viewer: Viewer, request: String
  ) async throws(MemeError) {
    let time = now()
    let entry = Authority(viewer, request: request).map {
      AuditEntry(at: time, $0, .deleteComment, id.description)
    }
    try await store.delete(id, if: condition, by: viewer, at: time, recording: entry)
  }

  /// What came of a new comment.
  package enum Outcome: Sendable {
    case written(Comment)
    /// The same request was answered before.
    case repeated(FirstAnswer)
  }
}
