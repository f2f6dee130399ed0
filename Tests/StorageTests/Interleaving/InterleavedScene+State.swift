import Memes
import SQL

@testable import Storage

extension InterleavedScene {
  /// All tables, except those whose rows have no meaning by themselves.
  private static let tables = [
    "users", "sessions", "password_resets", "invitations", "access_tokens",
    "second_factors", "recovery_codes", "identities", "settings", "user_words", "blobs",
    "discarded_blobs", "avatars", "memes", "meme_tags", "pictures", "deleted_memes",
    "derived_pictures",
    "meme_words", "changes",
    "uploads", "unfinished_uploads", "upload_pieces", "templates", "template_aliases",
    "template_words", "deleted_templates", "retries",
    "follows", "blocks", "discarded_memes", "likes", "favorites", "comments", "notifications",
    "taken_back", "audit", "reports", "connections", "mappings", "events", "deliveries",
  ]

  static func rows(in store: Scratch) throws -> [Int] {
    let counts = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: ", ")
    return try store.database.readers.blockingRead { db in
      try db.first("SELECT \(counts)") { row in
        var counts: [Int] = []
        for _ in tables { counts.append(try row.next()) }
        return counts
      } ?? []
    }
  }

  /// What the rows of the scene say, without what differs between two scenes.
  func state(in store: Scratch) throws -> String {
    let more = zip(Self.tables, zip(rows, try Self.rows(in: store))).filter { $1.0 != $1.1 }
      .map { "\($0) \($1.1 - $1.0)" }
    return try store.database.readers.blockingRead { db in
      let memes = try lines(
        db,
        """
        SELECT version, deleted_at IS NULL, deleted_by_admin, top, like_count, favorite_count, comment_count, share_count,
          author IS NULL,
          (SELECT count(*) FROM likes WHERE meme = memes.seq),
          (SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL),
          (SELECT count(*) FROM derived_pictures WHERE meme = memes.seq),
          (SELECT coalesce(max(count), 0) FROM shares WHERE meme = memes.seq),
          (SELECT count(*) FROM meme_words WHERE meme = memes.seq)
        FROM memes WHERE id IN (?, ?, ?, ?) ORDER BY seq
        """, meme.bytes, nobodys.bytes, trashed.bytes, twin.bytes)
      let people = try lines(
        db,
        """
        SELECT followers, following, stored_bytes, public_memes, last_change, pruned_changes, role, suspended_at IS NULL,
          CASE WHEN password LIKE '$%' THEN '$' ELSE password END, coalesce(theme, '-'),
          CASE WHEN display_name LIKE '% 🐈' THEN '-' ELSE display_name END, email LIKE 'new-%', substr(username, 1, 4) = 'new_', former_username IS NULL, coalesce(avatar, '-'),
          (SELECT count(*) FROM avatars WHERE user = users.seq),
          (SELECT count(*) FROM user_words WHERE user = users.seq),
          (SELECT count(*) FROM follows WHERE follower = users.seq),
          (SELECT count(*) FROM blocks WHERE blocker = users.seq),
          (SELECT count(*) FROM notifications WHERE user = users.seq),
          (SELECT count(*) FROM notifications WHERE user = users.seq AND is_read),
          (SELECT count(*) FROM sessions WHERE user = users.seq),
          (SELECT count(*) FROM password_resets WHERE user = users.seq),
          (SELECT count(*) FROM templates WHERE author = users.seq),
          (SELECT count(*) FROM uploads WHERE author = users.seq)
        FROM users LEFT JOIN settings ON settings.user = users.seq
        WHERE id IN (?, ?, ?, ?) ORDER BY seq
        """, ada.id.bytes, bob.id.bytes, root.id.bytes, chief.id.bytes)
      let uploads = try lines(
        db,
        """
        SELECT 1, received FROM unfinished_uploads WHERE id = ?1 OR beginner = ?2
        UNION ALL SELECT 2, 0 FROM uploads WHERE id IN (?1, ?3) ORDER BY 1, 2
        """, upload.bytes, network.bytes, whole.bytes)
      let reports = try lines(
        db,
        """
        SELECT kind, status, reason, count(*) FROM reports WHERE subject IN (?, ?)
        GROUP BY kind, status, reason ORDER BY kind, status, reason
        """, ada.id.bytes, nobodys.bytes)
      let purges = try lines(
        db,
        """
        SELECT (SELECT count(*) FROM likes WHERE meme = -1), (SELECT count(*) FROM discarded_memes),
          (SELECT count(*) FROM discarded_blobs WHERE byte_count = 1),
          (SELECT count(*) FROM templates WHERE author IS NULL), (SELECT count(*) FROM retries),
          (SELECT count(*) FROM deleted_memes)
        """)
      let connections = try lines(
        db,
        """
        SELECT state, delivered, failed, (SELECT count(*) FROM mappings WHERE connection = c.seq),
          (SELECT CAST(coalesce(sum(events), 0) AS bigint) FROM mappings WHERE connection = c.seq),
          (SELECT count(*) FROM mappings WHERE connection = c.seq AND reloaded IS NULL)
        FROM connections AS c WHERE id IN (?, ?) ORDER BY seq
        """, connection.bytes, fullConnection.bytes)
      let templates = try lines(
        db,
        """
        SELECT name, version, use_count, (SELECT count(*) FROM template_aliases WHERE template = templates.seq)
        FROM templates WHERE id = ?
        """, template.bytes)
      let lists = [memes, people, uploads, reports, purges, connections, templates]
      return (lists + more).joined(separator: "; ")
    }
  }

  /// The rows as text.
  private func lines(
    _ db: borrowing Transaction, _ sql: String, _ values: any Bindable...
  ) throws -> String {
    let cursor = try db.session.cursor(sql, values)
    defer { cursor.close() }
    var lines: [String] = []
    while try cursor.step() {
      let row = (0..<cursor.columnCount).map { column in
        switch cursor.content(of: column) {
        case .null: "-"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text), .blob(let text): String(decoding: text, as: UTF8.self)
        }
      }
      lines.append(row.joined(separator: " "))
    }
    return lines.joined(separator: ", ")
  }
}
