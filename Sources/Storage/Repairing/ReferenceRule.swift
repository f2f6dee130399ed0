/// What becomes of a row that refers to one that is not there.
struct ReferenceRule {
  enum Remedy {
    /// It is nothing without that.
    case remove
    /// It is more than that, and forgets to whom it referred.
    case forget
  }

  let table: String
  let column: String
  let parent: String
  let remedy: Remedy

  /// Every reference of the schema but those that only what is referred to could mend: bytes of pictures, which are made anew where they can
  /// be, the author of a meme, which nobody else may see then, and the act that closed a report.
  static let all: [ReferenceRule] =
    [
      ("pictures", "meme", "memes"), ("derived_pictures", "meme", "memes"),
      ("derived_pictures", "blob", "blobs"), ("uploads", "blob", "blobs"),
      ("shares", "meme", "memes"), ("sessions", "user", "users"),
      ("password_resets", "user", "users"), ("settings", "user", "users"),
      ("avatars", "user", "users"), ("follows", "follower", "users"),
      ("follows", "followed", "users"), ("blocks", "blocker", "users"),
      ("blocks", "blocked", "users"), ("likes", "user", "users"), ("favorites", "user", "users"),
      ("comments", "user", "users"), ("notifications", "user", "users"),
      ("notifications", "meme", "memes"), ("user_words", "user", "users"),
      ("discarded_blobs", "blob", "blobs"), ("upload_pieces", "upload", "unfinished_uploads"),
    ].map { ReferenceRule(table: $0.0, column: $0.1, parent: $0.2, remedy: .remove) }
    + [
      ("uploads", "author"), ("templates", "author"), ("deleted_memes", "author"),
      ("reports", "reporter"), ("unfinished_uploads", "author"),
    ].map { ReferenceRule(table: $0.0, column: $0.1, parent: "users", remedy: .forget) }

  static func isMendable(_ table: String, parent: String) -> Bool {
    all.contains { $0.table == table && $0.parent == parent }
  }

  /// Changes the rows that it is about.
  var statement: String {
    let key = parent == "blobs" ? "id" : "seq"
    let dangling = """
      WHERE \(column) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM \(parent) WHERE \(parent).\(key) = \(table).\(column))
      """
    return switch remedy {
    case .remove: "DELETE FROM \(table) \(dangling)"
    case .forget: "UPDATE \(table) SET \(column) = NULL \(dangling)"
    }
  }
}
