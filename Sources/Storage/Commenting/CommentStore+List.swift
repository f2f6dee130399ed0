package import Memes
import SQL

extension CommentStore {
  package func comment(
    _ id: CommentID, for viewer: Principal
  ) async throws -> Comment {
    try await readers.read { db in try visibleComment(id, for: viewer, in: db) }
  }

  /// A page of the comments on a meme. Comments of users who block the viewer, or whom the viewer blocks, are left out.
  /// The author of the meme sees those of the former.
  package func comments(
    on meme: MemeID, for viewer: Principal, _ order: CommentOrder, after position: ListPosition?,
    limit: Int
  ) async throws -> Page<Comment> {
    let policy = AccessPolicy(viewer)
    let query = order == .newest ? Self.newestQuery : Self.oldestQuery
    let start = position?.sequence ?? (order == .newest ? .max : 0)
    return try await readers.read { db in
      let meme = try visibleSequence(of: meme, for: viewer, in: db)
      return try Page(limit: limit) { limit, note in
        try db.all(query[policy], policy.person, meme, start, limit) { row in
          note(try row.next())
          return try Comment(&row)
        }
      } ending: {
        guard policy.hidesPeople else { return nil }
        return try db.value(Self.stretch(order).query, policy.person, meme, start)
      }
    }
  }

  static let newestQuery = PerViewerSQL { query($0, .newest) }
  static let oldestQuery = PerViewerSQL { query($0, .oldest) }

  /// `?2` is the meme, `?3` the position after which the page begins, `?4` the maximum number of rows.
  private static func query(_ policy: AccessPolicy, _ order: CommentOrder) -> String {
    let reached = ScanWindow.reaches("comments.seq", isRising: order == .oldest)
    // PostgreSQL uses the order of the index only if `deleted_at` is in it, although it is NULL.
    let direction = order == .newest ? "DESC" : "ASC"
    return """
      \(policy.hidesPeople ? stretch(order).with : "")
      SELECT comments.seq, \(Comment.columns(policy))
      FROM comments INDEXED BY comments_of_meme \(Comment.parts)
      WHERE \(ofMeme(order)) AND \(policy.seesComment)
        \(policy.hidesPeople ? "AND \(reached)" : "")
      ORDER BY comments.deleted_at \(direction), comments.seq \(direction) LIMIT ?4
      """
  }

  private static func ofMeme(_ order: CommentOrder) -> String {
    """
    comments.meme = ?2 AND comments.deleted_at IS NULL
      AND comments.seq \(order == .newest ? "<" : ">") ?3
    """
  }

  /// The scan window of a page.
  static func stretch(_ order: CommentOrder) -> ScanWindow {
    ScanWindow(
      of: "comments.seq", after: "comments.deleted_at", isRising: order == .oldest,
      in: "comments INDEXED BY comments_of_meme WHERE \(ofMeme(order))")
  }

  /// A page of all comments by a user, ordered by meme with the newest memes first. Includes comments on memes that the
  /// user can no longer see, but not on purged memes. Does not throw ``MemeError/notFound`` or ``MemeError/gone``.
  package func comments(
    by person: UserID, after place: CommentPlace?, limit: Int
  ) async throws -> (comments: [Comment], next: CommentPlace?) {
    let rows = try await readers.read { db in
      try db.all(
        Self.personsQuery, person.bytes, place?.meme ?? .max, place?.comment ?? .max, limit
      ) { row in
        (
          place: CommentPlace(meme: try row.next(), comment: try row.next()),
          comment: try Comment(&row)
        )
      }
    }
    return (rows.map(\.comment), rows.count < limit ? nil : rows.last?.place)
  }

  static let personsQuery = """
    SELECT comments.meme, comments.seq, \(Comment.columns(AccessPolicy(.admin)))
    FROM comments INDEXED BY comments_of_user \(Comment.parts)
    WHERE comments.user = \(AccessPolicy.asking) AND (comments.meme, comments.seq) < (?2, ?3)
      AND comments.deleted_at IS NULL
    ORDER BY comments.meme DESC, comments.seq DESC LIMIT ?4
    """
}

extension Comment {
  /// The columns that ``init(_:)`` decodes, from `comments` and ``parts``.
  static func columns(_ policy: AccessPolicy) -> String {
    let canDelete =
      switch policy.viewer {
      case .administrator, .admin: "TRUE"
      case .anonymous, .deleteTokenHolder: "FALSE"
      case .person:
        // The comparisons are NULL if the viewer's account was deleted during the request.
        """
        coalesce(comments.user = \(AccessPolicy.asking) OR memes.author = \(AccessPolicy.asking), FALSE)
        """
      }
    let canEdit =
      policy.viewer.isSignedIn
      ? "comments.user IS NOT DISTINCT FROM \(AccessPolicy.asking)" : "FALSE"
    return """
      author.id, author.username, author.display_name, author.avatar,
      comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
      \(canEdit), \(canDelete)
      """
  }

  /// Joins the author and the meme of a comment. This drops comments on purged memes.
  static let parts = """
    CROSS JOIN users AS author ON author.seq = comments.user
    CROSS JOIN memes ON memes.seq = comments.meme
    """

  /// Decodes ``columns(_:)``.
  init(_ row: inout Row) throws {
    guard let author = try row.nextAuthor() else {
      throw DatabaseError(.mismatch, "A comment in the database has no author.")
    }
    self.init(
      id: CommentID(try row.nextUUID()), on: try row.nextMemeID(), version: try row.next(),
      author: author, text: CommentText(stored: try row.next()),
      createdAt: try row.nextTimestamp(), editedAt: try row.nextOptionalTimestamp(),
      canEdit: try row.next(), canDelete: try row.next())
  }
}
