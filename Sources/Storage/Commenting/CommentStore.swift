package import Memes
package import SQL

/// Stores comments on memes in the table `comments`, and the responses of idempotent requests in `retries`. Triggers
/// maintain the counts in `memes`.
///
/// Each call is one transaction, which also checks whether the viewer may see the meme and the comment. Changes are
/// durable and counted on return. Reads run on the caller's thread, writes on the writer thread.
///
/// A deleted comment keeps its row without its text, so that viewers who could see it get ``MemeError/gone``.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; also ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme or
/// the comment.
package struct CommentStore: Sendable {
  let readers: any Readers
  private let writer: ObservedWriter

  /// - Parameter observers: notified of every change of a count.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
    readers = database.readers
  }

  /// Stores a comment.
  ///
  /// - Parameters:
  ///   - viewer: the author.
  ///   - record: stored together with the comment.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/unauthorized`` if the author's account was deleted.
  package func insert(
    _ comment: Comment, by viewer: Principal, recording record: IdempotencyRecord?
  ) async throws -> IdempotencyRecord? {
    try await writer.write { db in
      try db.lock(meme: comment.meme, by: viewer.person)
      if let first = try earlierRecord(than: record, at: comment.createdAt, in: db) {
        return Written(first)
      }
      guard let author = try authorNumber(viewer.person, in: db) else {
        throw MemeError.unauthorized
      }
      let meme = try visibleSequence(of: comment.meme, for: viewer, in: db)
      try db.run(
        "INSERT INTO comments (id, meme, user, created_at, text) VALUES (?, ?, ?, ?, ?)",
        comment.id.bytes, meme, author, comment.createdAt.millisecondsSince1970,
        comment.text.text)
      if let record { try insertRecord(record, in: db) }
      return Written(nil, .counted(comment.meme))
    }
  }

  /// Replaces the text of a comment. The same text changes nothing, so a client may repeat a request after it lost the
  /// response.
  ///
  /// - Returns: the current comment.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer is not the author;
  ///   ``MemeError/versionMismatch`` if the comment has another version than the condition requires.
  package func replace(
    _ id: CommentID, with text: CommentText, if condition: VersionCondition, by viewer: Principal,
    at time: Timestamp
  ) async throws -> Comment {
    try await writer.write { db in
      try db.lock(comment: id, by: viewer.person)
      let comment = try visibleComment(id, for: viewer, in: db)
      guard comment.canEdit else { throw viewer.refusal }
      guard condition.allows(comment.version) else { throw MemeError.versionMismatch }
      guard comment.text != text else { return Written(comment) }
      try db.run(
        "UPDATE comments SET text = ?, edited_at = ?, version = \(NextVersion.sql()) WHERE id = ?",
        text.text, time.millisecondsSince1970, id.bytes)
      return Written(try visibleComment(id, for: viewer, in: db))
    }
  }

  /// Deletes a comment for good.
  ///
  /// - Parameter entry: written in the same transaction if the viewer owns neither the comment nor the meme; `nil` if
  ///   the viewer is not an admin.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer may not delete the comment;
  ///   ``MemeError/versionMismatch`` as in ``replace(_:with:if:by:at:)``.
  package func delete(
    _ id: CommentID, if condition: VersionCondition, by viewer: Principal, at time: Timestamp,
    recording entry: AuditEntry?
  ) async throws {
    try await writer.write { db in
      try db.lock(comment: id, by: viewer.person)
      let comment = try deletableComment(id, for: viewer, in: db)
      guard comment.canDelete else { throw viewer.refusal }
      guard condition.allows(comment.version) else { throw MemeError.versionMismatch }
      if try !isViewers(id, viewer, in: db) { try record(entry, in: db) }
      try db.run(
        "UPDATE comments SET deleted_at = ?, text = '' WHERE id = ?", time.millisecondsSince1970,
        id.bytes)
      return Written((), .counted(comment.meme))
    }
  }
}

/// Whether the viewer is the author of the comment or of its meme. Otherwise only an admin may delete the comment.
private func isViewers(
  _ id: CommentID, _ viewer: Principal, in db: borrowing Transaction
) throws -> Bool {
  try db.value(
    """
    SELECT comments.user IS NOT DISTINCT FROM \(AccessPolicy.asking)
      OR memes.author IS NOT NULL AND memes.author IS NOT DISTINCT FROM \(AccessPolicy.asking)
    FROM comments CROSS JOIN memes ON memes.seq = comments.meme WHERE comments.id = ?2
    """, viewer.person?.bytes, id.bytes) ?? false
}

/// A comment that the viewer may see, or has written. Authors can always delete their own comments.
private func deletableComment(
  _ id: CommentID, for viewer: Principal, in db: borrowing Transaction
) throws -> Comment {
  do { return try visibleComment(id, for: viewer, in: db) } catch {
    guard case MemeError.notFound = error, viewer.person != nil,
      let own = try? comment(id, by: ownCommentQuery, for: viewer, in: db)
    else { throw error }
    return own
  }
}

/// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer sees no such comment.
func visibleComment(
  _ id: CommentID, for viewer: Principal, in db: borrowing Transaction
) throws -> Comment {
  try comment(id, by: commentQuery, for: viewer, in: db)
}

private func comment(
  _ id: CommentID, by query: PerViewerSQL, for viewer: Principal,
  in db: borrowing Transaction
) throws -> Comment {
  let policy = AccessPolicy(viewer)
  let found = try db.first(query[policy], policy.person, id.bytes) {
    row in try row.next() as Bool ? nil : try Comment(&row)
  }
  guard let found else { throw MemeError.notFound }
  guard let comment = found else { throw MemeError.gone }
  return comment
}

/// The first column is true if the comment or its meme is deleted.
let commentQuery = PerViewerSQL { policy in
  """
  SELECT comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL, \(Comment.columns(policy))
  FROM comments \(Comment.parts)
  WHERE comments.id = ?2 AND \(policy.sees()) AND \(policy.seesComment)
  """
}

/// Like ``commentQuery``, for the viewer's own comment on a meme that may be hidden from the viewer.
private let ownCommentQuery = PerViewerSQL { policy in
  """
  SELECT comments.deleted_at IS NOT NULL, \(Comment.columns(policy))
  FROM comments \(Comment.parts)
  WHERE comments.id = ?2 AND comments.user = \(AccessPolicy.asking)
  """
}
