package import Memes
package import SQLite

/// What people wrote about memes, in the tables `comments` and `retries`; triggers keep the counts in `memes`. Reads run on the
/// caller's thread, writes on the writer's.
///
/// A comment that is deleted keeps its row without its text, so that it is told as gone to who could see it.
package struct SQLiteComments: CommentStore {
  let readers: Readers
  private let writer: ObservedWriter

  /// - Parameter observers: hear of every change of a count.
  package init(_ database: Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
    readers = database.readers
  }

  package func insert(
    _ comment: Comment, by viewer: Viewer, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer? {
    try await writer.write { db throws(MemeError) in
      if let first = try earlierAnswer(than: answer, at: comment.createdAt, in: db) {
        return Written(first)
      }
      guard let author = try authorNumber(viewer.person, in: db) else { throw .unauthorized }
      let meme = try visibleSequence(of: comment.meme, for: viewer, in: db)
      try db.run(
        "INSERT INTO comments (id, meme, user, created_at, text) VALUES (?, ?, ?, ?, ?)",
        comment.id.bytes, meme, author, comment.createdAt.millisecondsSince1970,
        comment.text.text)
      if let answer { try insertAnswer(answer, in: db) }
      return Written(nil, .counted(comment.meme))
    }
  }

  package func replace(
    _ id: CommentID, with text: CommentText, if condition: VersionCondition, by viewer: Viewer,
    at time: Timestamp
  ) async throws(MemeError) -> Comment {
    try await writer.write { db throws(MemeError) in
      let comment = try visibleComment(id, for: viewer, in: db)
      guard comment.canEdit else { throw viewer.refusal }
      guard condition.allows(comment.version) else { throw .versionMismatch }
      guard comment.text != text else { return Written(comment) }
      try db.run(
        "UPDATE comments SET text = ?, edited_at = ?, version = \(NextVersion.sql()) WHERE id = ?",
        text.text, time.millisecondsSince1970, id.bytes)
      return Written(try visibleComment(id, for: viewer, in: db))
    }
  }

  package func delete(
    _ id: CommentID, if condition: VersionCondition, by viewer: Viewer, at time: Timestamp,
    recording entry: AuditEntry?
  ) async throws(MemeError) {
    try await writer.write { db throws(MemeError) in
      let comment = try deletableComment(id, for: viewer, in: db)
      guard comment.canDelete else { throw viewer.refusal }
      guard condition.allows(comment.version) else { throw .versionMismatch }
      if try !isViewers(id, viewer, in: db) { try record(entry, in: db) }
      try db.run(
        "UPDATE comments SET deleted_at = ?, text = '' WHERE id = ?", time.millisecondsSince1970,
        id.bytes)
      return Written((), .counted(comment.meme))
    }
  }
}

/// Whether the viewer wrote the comment, or made what it is about: an admin deletes others' too.
private func isViewers(
  _ id: CommentID, _ viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Bool {
  try db.first(
    """
    SELECT comments.user IS \(Sight.asking)
      OR memes.author IS NOT NULL AND memes.author IS \(Sight.asking)
    FROM comments CROSS JOIN memes ON memes.seq = comments.meme WHERE comments.id = ?2
    """, viewer.person?.bytes, id.bytes
  ) { row throws(SQLiteError) in try row[0] as Bool } ?? false
}

/// A comment that the viewer can see, or that the viewer wrote: authors can always delete their own words.
private func deletableComment(
  _ id: CommentID, for viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Comment {
  do throws(MemeError) { return try visibleComment(id, for: viewer, in: db) } catch {
    guard case .notFound = error, viewer.person != nil,
      let own = try? comment(id, by: ownCommentQuery, for: viewer, in: db)
    else { throw error }
    return own
  }
}

/// - Throws: ``MemeError/notFound``, ``MemeError/gone`` where there is none for this viewer.
func visibleComment(
  _ id: CommentID, for viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Comment {
  try comment(id, by: commentQuery, for: viewer, in: db)
}

private func comment(
  _ id: CommentID, by query: SightedText, for viewer: Viewer,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Comment {
  let sight = Sight(viewer)
  let found = try db.first(query[sight], sight.person, id.bytes) {
    row throws(SQLiteError) in try row[Comment.columnCount] as Bool ? nil : try Comment(row)
  }
  guard let found else { throw .notFound }
  guard let comment = found else { throw .gone }
  return comment
}

/// The last column is whether it is gone.
let commentQuery = SightedText { sight in
  """
  SELECT \(Comment.columns(sight)), comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL
  FROM comments \(Comment.parts)
  WHERE comments.id = ?2 AND \(sight.sees()) AND \(sight.sees(person: "comments.user"))
  """
}

/// As ``commentQuery``, for the viewer's own comment on a meme that the viewer may not see.
private let ownCommentQuery = SightedText { sight in
  """
  SELECT \(Comment.columns(sight)), comments.deleted_at IS NOT NULL
  FROM comments \(Comment.parts)
  WHERE comments.id = ?2 AND comments.user = \(Sight.asking)
  """
}
