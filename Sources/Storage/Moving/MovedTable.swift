import SQL

/// A table whose rows `mememe move` copies. The copy has the same rows, with the same numbers.
struct MovedTable: Sendable {
  let name: String
  /// The primary key. Rows are read in its order.
  let key: [String]
  /// The maximum number of rows in memory at once.
  let batch: Int

  private init(_ name: String, by key: String..., batch: Int = 500) {
    (self.name, self.key, self.batch) = (name, key, batch)
  }

  /// Whether the database chooses the number of a new row.
  var isNumbered: Bool { key == ["seq"] }

  /// Whether the migrations insert the only row.
  var isSingleRow: Bool { ["epochs", "totals", "wordless"].contains(name) }

  /// The table or view with the current rows.
  func source(_ dialect: Dialect) -> String {
    switch name {
    case "totals": dialect.totals
    case "upload_days": dialect.uploadDays
    default: name
    }
  }
}

/// Every table of both engines. A test compares these lists with the schemas.
extension MovedTable {
  /// The table with the bytes of pictures. ``PictureCopy`` copies the rows that have an owner.
  static let blobs = "blobs"

  /// The copied tables. A row refers only to rows of tables before its own.
  static let all: [MovedTable] = [
    MovedTable("epochs", by: "id"), MovedTable("storage_limits", by: "id"),
    MovedTable("users", by: "seq"), MovedTable("user_words", by: "kind", "word", "user"),
    MovedTable("sessions", by: "token"), MovedTable("password_resets", by: "token"),
    MovedTable("invitations", by: "seq"), MovedTable("access_tokens", by: "seq"),
    MovedTable("second_factors", by: "user"), MovedTable("recovery_codes", by: "code"),
    MovedTable("identities", by: "id"),
    MovedTable("settings", by: "user"), MovedTable("follows", by: "seq"),
    MovedTable("blocks", by: "seq"), MovedTable("avatars", by: "user", "edge"),
    MovedTable("memes", by: "seq"), MovedTable("meme_tags", by: "tag", "meme"),
    MovedTable("pictures", by: "meme", "role"),
    MovedTable("derived_pictures", by: "meme", "width", "format"),
    MovedTable("deleted_memes", by: "id"), MovedTable("discarded_memes", by: "meme"),
    MovedTable("changes", by: "author", "number"), MovedTable("shares", by: "meme", "channel"),
    MovedTable("likes", by: "seq"), MovedTable("favorites", by: "seq"),
    MovedTable("comments", by: "seq"), MovedTable("notifications", by: "user", "place"),
    MovedTable("taken_back", by: "actor", "kind", "subject"), MovedTable("uploads", by: "seq"),
    MovedTable("unfinished_uploads", by: "seq"),
    // A row has up to some MiB.
    MovedTable("upload_pieces", by: "seq", batch: 4), MovedTable("templates", by: "seq"),
    MovedTable("template_aliases", by: "alias"),
    MovedTable("template_words", by: "word", "template"),
    MovedTable("deleted_templates", by: "id"), MovedTable("retries", by: "seq", batch: 50),
    MovedTable("audit", by: "seq"), MovedTable("reports", by: "seq"),
    // After the rows of whose changes triggers would record events.
    MovedTable("connections", by: "seq"), MovedTable("mappings", by: "seq"),
    MovedTable("events", by: "seq"), MovedTable("deliveries", by: "seq"),
    // Triggers have counted the rows already.
    MovedTable("totals", by: "id"), MovedTable("upload_days", by: "day"),
    MovedTable("wordless", by: "id"),
  ]

  /// Tables that are made from the rows of others.
  static let rebuilt: Set = ["meme_words"]

  /// Tables whose rows mean nothing elsewhere: bytes that are about to be overwritten, recent changes, rate limits,
  /// servers, object stores, and differences that the current totals include. `moves` marks an unfinished copy.
  static func own(_ dialect: Dialect) -> Set<String> {
    switch dialect {
    case .sqlite:
      [
        "discarded_blobs", "meme_words_config", "meme_words_content", "meme_words_data",
        "meme_words_idx", "migrations", "sqlite_sequence",
      ]
    case .postgreSQL:
      [
        "buckets", "discarded_blobs", "discarded_objects", "happened", "key_codes", "migrations",
        "moves", "object_stores", "servers", "totals_changes", "upload_days_changes",
      ]
    }
  }
}
