/// The repair of rows that refer to a missing row.
struct ReferenceRule {
  enum Remedy {
    /// Deletes the row, which is useless without the reference.
    case remove
    /// Clears the reference and keeps the row.
    case forget
  }

  let table: String
  let column: String
  let parent: String
  let remedy: Remedy

  /// All references of the schema, except those that only the missing row could repair. These are: the bytes of a
  /// picture, which is redrawn if possible; the author of a meme, which may be visible to no other person; and the
  /// audit entry of the decision that closed a report.
  static let all: [ReferenceRule] =
    [
      ("pictures", "meme", "memes"), ("meme_tags", "meme", "memes"),
      ("derived_pictures", "meme", "memes"),
      ("derived_pictures", "blob", "blobs"), ("uploads", "blob", "blobs"),
      ("shares", "meme", "memes"), ("sessions", "user", "users"),
      ("password_resets", "user", "users"), ("invitations", "inviter", "users"),
      ("access_tokens", "user", "users"), ("second_factors", "user", "users"),
      ("recovery_codes", "user", "users"), ("identities", "user_id", "users"),
      ("settings", "user", "users"),
      ("avatars", "user", "users"), ("follows", "follower", "users"),
      ("follows", "followed", "users"), ("blocks", "blocker", "users"),
      ("blocks", "blocked", "users"), ("likes", "user", "users"), ("favorites", "user", "users"),
      ("comments", "user", "users"), ("notifications", "user", "users"),
      ("notifications", "meme", "memes"), ("user_words", "user", "users"),
      ("connections", "owner", "users"), ("mappings", "connection", "connections"),
      ("mappings", "author", "users"), ("events", "connection", "connections"),
      ("events", "mapping", "mappings"), ("deliveries", "connection", "connections"),
      ("template_aliases", "template", "templates"), ("template_words", "template", "templates"),
      ("discarded_blobs", "blob", "blobs"), ("upload_pieces", "upload", "unfinished_uploads"),
    ].map { ReferenceRule(table: $0.0, column: $0.1, parent: $0.2, remedy: .remove) }
    + [
      ("uploads", "author"), ("templates", "author"), ("deleted_memes", "author"),
      ("reports", "reporter"), ("unfinished_uploads", "author"),
    ].map { ReferenceRule(table: $0.0, column: $0.1, parent: "users", remedy: .forget) }

  static func isRepairable(_ table: String, parent: String) -> Bool {
    all.contains { $0.table == table && $0.parent == parent }
  }

  /// The statement that repairs the affected rows.
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
