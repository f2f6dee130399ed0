import SQL

/// A column with a stored number of rows or bytes, which triggers maintain.
struct StoredCount {
  let table: String
  let column: String
  /// The correct value for a row of `table`, as an SQL expression.
  let expression: String

  /// The rows with the stored numbers.
  func source(_ dialect: Dialect) -> String { table == "totals" ? dialect.totals : table }

  static let all: [StoredCount] =
    [
      ("visible", "SELECT count(*) FROM memes WHERE deleted_at IS NULL"),
      ("deleted", "SELECT count(*) FROM memes WHERE deleted_at IS NOT NULL"),
      ("picture_bytes", "SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM pictures"),
      (
        "original_bytes",
        "SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM pictures WHERE role = 0"
      ),
      (
        "image_bytes",
        "SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM pictures WHERE role = 1"
      ),
      ("derived", "SELECT count(*) FROM derived_pictures"),
      (
        "derived_bytes", "SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM derived_pictures"
      ),
      ("uploads", "SELECT count(*) FROM uploads"),
      ("upload_bytes", "SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM uploads"),
      ("templates", "SELECT count(*) FROM templates"),
      (
        "template_bytes",
        "SELECT CAST(coalesce(sum(byte_count + thumbnail_byte_count), 0) AS bigint) FROM templates"
      ),
      ("likes", "SELECT count(*) FROM likes"),
      ("comments", "SELECT count(*) FROM comments WHERE deleted_at IS NULL"),
      ("unfinished_uploads", "SELECT count(*) FROM unfinished_uploads"),
      (
        "unfinished_upload_bytes",
        "SELECT CAST(coalesce(sum(received), 0) AS bigint) FROM unfinished_uploads"
      ),
    ].map { StoredCount(table: "totals", column: $0.0, expression: "(\($0.1))") }
    + [
      ("like_count", "SELECT count(*) FROM likes WHERE meme = memes.seq"),
      ("favorite_count", "SELECT count(*) FROM favorites WHERE meme = memes.seq"),
      (
        "comment_count",
        "SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL"
      ),
      (
        "share_count",
        "SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM shares WHERE meme = memes.seq"
      ),
    ].map { StoredCount(table: "memes", column: $0.0, expression: "(\($0.1))") }
    + [("public_memes", 0), ("friends_memes", 1), ("private_memes", 2)].map {
      StoredCount(
        table: "users", column: $0.0,
        expression: """
          (SELECT count(*) FROM memes
          WHERE author = users.seq AND visibility = \($0.1) AND deleted_at IS NULL)
          """)
    }
    + [
      ("totals", "anonymous_bytes", "IS NULL"), ("users", "stored_bytes", "= users.seq"),
    ].map {
      StoredCount(table: $0.0, column: $0.1, expression: "(\(Self.bytes(ofAuthor: $0.2)))")
    }
    + [
      ("last_change", "pruned_changes", "number", "changes WHERE author = users.seq"),
      ("last_notified", "0", "place", "notifications WHERE user = users.seq"),
    ].map { counter, other, number, rows in
      // The counter must not be below a number that it has given. It may be above, because rows are deleted.
      StoredCount(
        table: "users", column: counter,
        expression: """
          max(\(counter), \(other), (SELECT coalesce(max(\(number)), 0) FROM \(rows)))
          """)
    }
    + [("followers", "followed"), ("following", "follower")].map {
      StoredCount(
        table: "users", column: $0.0,
        expression: "(SELECT count(*) FROM follows WHERE \($0.1) = users.seq)")
    }

  private static func bytes(ofAuthor author: String) -> String {
    """
    (SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM memes JOIN pictures ON pictures.meme = memes.seq
      WHERE memes.author \(author))
    + (SELECT CAST(coalesce(sum(byte_count + thumbnail_byte_count), 0) AS bigint) FROM templates
      WHERE author \(author) AND NOT belongs_to_server)
    + (SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM uploads WHERE author \(author))
    + (SELECT CAST(coalesce(sum(received), 0) AS bigint) FROM unfinished_uploads WHERE author \(author))
    """
  }

  static func named(_ column: String, of table: String) -> StoredCount? {
    all.first { $0.table == table && $0.column == column }
  }
}
