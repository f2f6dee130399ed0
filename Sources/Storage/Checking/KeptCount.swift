/// A column that keeps how many rows there are, or how many bytes, so that nobody has to count them. Triggers keep it.
struct KeptCount {
  let table: String
  let column: String
  /// What it ought to be, in SQL, for a row of `table`.
  let expression: String

  static let all: [KeptCount] =
    [
      ("visible", "SELECT count(*) FROM memes WHERE deleted_at IS NULL"),
      ("deleted", "SELECT count(*) FROM memes WHERE deleted_at IS NOT NULL"),
      ("picture_bytes", "SELECT coalesce(sum(byte_count), 0) FROM pictures"),
      ("original_bytes", "SELECT coalesce(sum(byte_count), 0) FROM pictures WHERE role = 0"),
      ("image_bytes", "SELECT coalesce(sum(byte_count), 0) FROM pictures WHERE role = 1"),
      ("derived", "SELECT count(*) FROM derived_pictures"),
      ("derived_bytes", "SELECT coalesce(sum(byte_count), 0) FROM derived_pictures"),
      ("uploads", "SELECT count(*) FROM uploads"),
      ("upload_bytes", "SELECT coalesce(sum(byte_count), 0) FROM uploads"),
      ("templates", "SELECT count(*) FROM templates"),
      (
        "template_bytes",
        "SELECT coalesce(sum(byte_count + thumbnail_byte_count), 0) FROM templates"
      ),
      ("likes", "SELECT count(*) FROM likes"),
      ("comments", "SELECT count(*) FROM comments WHERE deleted_at IS NULL"),
      ("unfinished_uploads", "SELECT count(*) FROM unfinished_uploads"),
      (
        "unfinished_upload_bytes", "SELECT coalesce(sum(received), 0) FROM unfinished_uploads"
      ),
    ].map { KeptCount(table: "totals", column: $0.0, expression: "(\($0.1))") }
    + [
      ("like_count", "SELECT count(*) FROM likes WHERE meme = memes.seq"),
      ("favorite_count", "SELECT count(*) FROM favorites WHERE meme = memes.seq"),
      (
        "comment_count",
        "SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL"
      ),
      ("share_count", "SELECT coalesce(sum(count), 0) FROM shares WHERE meme = memes.seq"),
    ].map { KeptCount(table: "memes", column: $0.0, expression: "(\($0.1))") }
    + [("public_memes", 0), ("friends_memes", 1), ("private_memes", 2)].map {
      KeptCount(
        table: "users", column: $0.0,
        expression: """
          (SELECT count(*) FROM memes
          WHERE author = users.seq AND visibility = \($0.1) AND deleted_at IS NULL)
          """)
    }
    + [("followers", "followed"), ("following", "follower")].map {
      KeptCount(
        table: "users", column: $0.0,
        expression: "(SELECT count(*) FROM follows WHERE \($0.1) = users.seq)")
    }

  static func named(_ column: String, of table: String) -> KeptCount? {
    all.first { $0.table == table && $0.column == column }
  }
}
