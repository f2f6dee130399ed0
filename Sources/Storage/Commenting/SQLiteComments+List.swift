package import Memes
import SQLite

extension SQLiteComments {
  package func comment(
    _ id: CommentID, for viewer: Viewer
  ) async throws(MemeError) -> Comment {
    try readers.read { db throws(MemeError) in try visibleComment(id, for: viewer, in: db) }
  }

  package func comments(
    on meme: MemeID, for viewer: Viewer, _ order: CommentOrder, after position: ListPosition?,
    limit: Int
  ) async throws(MemeError) -> Page<Comment> {
    let sight = Sight(viewer)
    let query = order == .newest ? Self.newestQuery : Self.oldestQuery
    let start = position?.sequence ?? (order == .newest ? .max : 0)
    return try readers.read { db throws(MemeError) in
      let meme = try visibleSequence(of: meme, for: viewer, in: db)
      return try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(query[sight], sight.person, meme, start, limit) { row throws(SQLiteError) in
          note(try row[0])
          return try Comment(row)
        }
      } ending: { () throws(MemeError) in
        guard sight.hidesPeople else { return nil }
        return try db.first(Self.stretch(order).query, sight.person, meme, start) {
          row throws(SQLiteError) in try row[0]
        }
      }
    }
  }

  static let newestQuery = SightedText { query($0, .newest) }
  static let oldestQuery = SightedText { query($0, .oldest) }

  /// `?2` is the meme, `?3` the place that the page begins behind, `?4` how many there may be.
  private static func query(_ sight: Sight, _ order: CommentOrder) -> String {
    let reached = Stretch.reaches("comments.seq", isRising: order == .oldest)
    return """
      \(sight.hidesPeople ? stretch(order).with : "")
      SELECT \(Comment.columns(sight)) FROM comments INDEXED BY comments_of_meme \(Comment.parts)
      WHERE \(ofMeme(order)) AND \(sight.sees(person: "comments.user"))
        \(sight.hidesPeople ? "AND \(reached)" : "")
      ORDER BY comments.seq \(order == .newest ? "DESC" : "ASC") LIMIT ?4
      """
  }

  private static func ofMeme(_ order: CommentOrder) -> String {
    """
    comments.meme = ?2 AND comments.deleted_at IS NULL
      AND comments.seq \(order == .newest ? "<" : ">") ?3
    """
  }

  /// How far a page goes.
  static func stretch(_ order: CommentOrder) -> Stretch {
    Stretch(
      of: "comments.seq", isRising: order == .oldest,
      in: "comments INDEXED BY comments_of_meme WHERE \(ofMeme(order))")
  }

  package func comments(
    by person: UserID, after place: CommentPlace?, limit: Int
  ) async throws(MemeError) -> (comments: [Comment], next: CommentPlace?) {
    var last: CommentPlace?
    let comments = try readers.read { db throws(MemeError) in
      try db.all(
        Self.personsQuery, person.bytes, place?.meme ?? .max, place?.comment ?? .max, limit
      ) { row throws(SQLiteError) in
        last = CommentPlace(meme: try row[Comment.columnCount], comment: try row[0])
        return try Comment(row)
      }
    }
    return (comments, comments.count < limit ? nil : last)
  }

  static let personsQuery = """
    SELECT \(Comment.columns(Sight(.admin))), comments.meme
    FROM comments INDEXED BY comments_of_user \(Comment.parts)
    WHERE comments.user = \(Sight.asking) AND (comments.meme, comments.seq) < (?2, ?3)
      AND comments.deleted_at IS NULL
    ORDER BY comments.meme DESC, comments.seq DESC LIMIT ?4
    """
}

extension Comment {
  /// How many ``columns(_:)`` there are.
  static let columnCount = 13

  /// What ``init(_:)`` decodes, from `comments` and ``parts``. The first is the place in a list.
  static func columns(_ sight: Sight) -> String {
    let canDelete =
      switch sight.viewer {
      case .administrator, .admin: "1"
      case .anonymous, .holder: "0"
      case .person:
        """
        comments.user = \(Sight.asking) OR coalesce(memes.author = \(Sight.asking), 0)
        """
      }
    let canEdit = sight.viewer.isSignedIn ? "comments.user IS \(Sight.asking)" : "0"
    return """
      comments.seq, comments.id, memes.id, comments.version, comments.text, comments.created_at,
      comments.edited_at, author.id, author.username, author.display_name, author.avatar,
      \(canEdit), \(canDelete)
      """
  }

  /// Whose a comment is, and what it is about. What is about a purged meme is not there.
  static let parts = """
    CROSS JOIN users AS author ON author.seq = comments.user
    CROSS JOIN memes ON memes.seq = comments.meme
    """

  init(_ row: borrowing Row) throws(SQLiteError) {
    guard let author = try row.author(at: 7) else {
      throw SQLiteError(.mismatch, "A comment is stored without an author.")
    }
    let editedAt: Int64? = try row[6]
    self.init(
      id: CommentID(try row.uuid(at: 1)), on: try row.memeID(at: 2), version: try row[3],
      author: author, text: CommentText(stored: try row[4]), createdAt: try row.timestamp(at: 5),
      editedAt: editedAt.map(Timestamp.init(millisecondsSince1970:)), canEdit: try row[11],
      canDelete: try row[12])
  }
}
