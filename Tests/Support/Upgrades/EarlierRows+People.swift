import SQL
import SQLite

extension EarlierRows {
  /// Inserts ada as number 1, and bob.
  func insertPeople(_ db: borrowing Connection) throws {
    for (number, name) in ["ada", "bob"].enumerated() {
      try db.run(
        """
        INSERT INTO users (id, username, email, display_name, password, password_changed_at, created_at)
        VALUES (?, ?, ?, 'A Name', '$argon2id$', ?, ?)
        """, id(40 + number), name, "\(name)@example.org", now, now)
    }
    try db.run(
      """
      INSERT INTO sessions (token, id, user, created_at, last_used_at, user_agent)
      VALUES (zeroblob(32), ?, 1, ?, ?, 'app')
      """, id(42), now, now)
  }

  /// Makes ada the author of the fourth meme, which is private, and of the fifth, which is public.
  func giveAuthors(_ db: borrowing Connection) throws {
    try db.run("UPDATE memes SET author = 1, visibility = iif(seq = 4, 2, 0) WHERE seq IN (4, 5)")
    try db.run("UPDATE templates SET author = 1")
    try db.run("UPDATE uploads SET author = 1")
    try db.run("UPDATE deleted_memes SET author = 1")
    for (follower, followed) in [(1, 2), (2, 1)] {
      try db.run(
        "INSERT INTO follows (follower, followed, created_at) VALUES (?, ?, ?)", follower,
        followed, now)
    }
    try db.run("INSERT INTO blocks (blocker, blocked, created_at) VALUES (2, 1, ?)", now)
    let blob = try db.insert("INSERT INTO blobs (bytes) VALUES (x'00') RETURNING id")
    try db.run("INSERT INTO discarded_blobs VALUES (?, 1)", blob)
  }

  func insertReset(_ db: borrowing Connection) throws {
    try db.run("INSERT INTO password_resets VALUES (zeroblob(32), 1, ?)", now)
  }

  func insertAccessToken(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO access_tokens (id, token, user, name, scopes, created_at, expires_at, last_used_at)
      VALUES (?, zeroblob(32), 1, 'backup', 3, ?, NULL, ?)
      """, id(44), now, now)
  }

  func insertSecondFactor(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO second_factors (user, secret, enabled_at, last_step) VALUES (1, zeroblob(60), ?, 7)
      """, now)
    try db.run("INSERT INTO recovery_codes (code, user) VALUES (zeroblob(32), 1)")
  }

  /// Ada's connection, whose mapping records the events of her memes. Bob likes one, and one event was delivered.
  func insertConnection(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO connections (id, owner, name, url, is_global, secret, created_at)
      VALUES (?, 1, 'chat', 'https://example.org/hook', 0, zeroblob(72), ?)
      """, id(45), now)
    try db.run(
      """
      INSERT INTO mappings (id, connection, person, events, visibility, format, fields, created_at)
      VALUES (?, 1, 1, 19, 0, 0, 3, ?)
      """, id(46), now)
    try db.run(
      """
      INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
      VALUES (?, 1, 1, 4, ?, 2, ?)
      """, id(47), id(5), now)
    try db.run(
      """
      INSERT INTO deliveries (id, connection, mapping, event, kind, subject, outcome, status, head,
        milliseconds, attempted_at)
      VALUES (?, 1, ?, ?, 0, ?, 0, 200, 'HTTP/1.1 200 OK', 12, ?)
      """, id(48), id(46), id(49), id(5), now)
  }

  func insertIdentity(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO identities (id, user_id, issuer, subject, created_at, last_used_at)
      VALUES (?, 1, 'https://login.example', 'ada', ?, ?)
      """, id(51), now, now)
  }

  func insertTags(_ db: borrowing Connection) throws {
    try db.run(#"UPDATE memes SET tags = '["cat"]' WHERE seq = 1"#)
    try db.run("INSERT INTO meme_tags (tag, meme) VALUES ('cat', 1)")
  }

  func remix(_ db: borrowing Connection) throws {
    try db.run("UPDATE memes SET remix_of = (SELECT id FROM memes WHERE seq = 2) WHERE seq = 1")
  }

  func filterByTag(_ db: borrowing Connection) throws {
    try db.run("UPDATE mappings SET tag = 'cat' WHERE seq = 1")
  }

  func evenSizes(_ db: borrowing Connection) throws {
    try db.run("UPDATE memes SET same_size = 1 WHERE seq = 1")
  }

  func insertPictureBox(_ db: borrowing Connection) throws {
    try db.run(
      #"""
      UPDATE memes SET pictures =
        '[{"x":0,"y":0,"width":0.5,"height":0.5,"rotation":0,"fit":"contain"}]'
      WHERE seq = 1
      """#)
    try insertPicture(4, of: 1, in: db)
  }

  func insertTemplateNames(_ db: borrowing Connection) throws {
    try db.run(#"UPDATE templates SET aliases = '["cat"]', tags = '["pet"]' WHERE seq = 1"#)
    try db.run("INSERT INTO template_aliases (alias, template) VALUES ('cat', 1)")
    for word in ["#pet", "cat", "pet"] {
      try db.run("INSERT INTO template_words (word, template) VALUES (?, 1)", word)
    }
  }

  func insertInvitation(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO invitations (id, code, inviter, email, role, uses, created_at, expires_at)
      VALUES (?, zeroblob(32), 1, 'bob@example.org', 0, 1, ?, ?)
      """, id(43), now, now + 86_400_000)
  }

  func insertSettings(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO settings (
        user, version, theme, text_scale, reduced_motion, high_contrast, visibility, notify_likes, notify_comments,
        notify_follows
      ) VALUES (1, 2, 'dark', 1.0, 0, 1, 'private', 1, 1, 1)
      """)
    for edge in [64, 192, 512] {
      let blob = try db.insert("INSERT INTO blobs (bytes) VALUES (?) RETURNING id", square.bytes)
      try db.run(
        "INSERT INTO avatars VALUES (1, ?, 'png', ?, ?, ?, ?, ?)", edge, square.width,
        square.height, square.bytes.count, square.digest, blob)
    }
    try db.run(
      "UPDATE users SET avatar = substr(lower(hex(?)), 1, 16) WHERE seq = 1", square.digest)
  }

  func insertAudit(_ db: borrowing Connection) throws {
    try db.run(
      "INSERT INTO audit (at, actor, act, details) VALUES (?, 'command', 'set-role', '{}')", now)
  }

  /// Bob likes ada's meme, adds it to his favorites, and comments on it. Of a sixth meme, which is gone, only his like
  /// is left.
  func insertMarks(_ db: borrowing Connection) throws {
    let gone = try insertMeme(6, "gone", in: db)
    for meme in [5, gone] {
      try db.run("INSERT INTO likes (meme, user, created_at) VALUES (?, 2, ?)", meme, now)
    }
    try db.run("INSERT INTO favorites (meme, user, created_at) VALUES (5, 2, ?)", now)
    try db.run(
      "INSERT INTO comments (id, meme, user, created_at, text) VALUES (?, 5, 2, ?, 'fine')",
      id(50), now)
    let blobs: [Int64] = try db.column("SELECT blob FROM pictures WHERE meme = ?", gone)
    try db.run("DELETE FROM pictures WHERE meme = ?", gone)
    for blob in blobs { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
    try db.run("DELETE FROM memes WHERE seq = ?", gone)
  }

  func insertWords(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO meme_words (rowid, captions, alt_text, author)
      SELECT -seq, 'words', 'alt', coalesce(author, '') FROM memes
      """)
    try db.run("INSERT INTO user_words SELECT 0, username, seq FROM users")
  }

  func insertTakenBack(_ db: borrowing Connection) throws {
    try db.run("INSERT INTO taken_back VALUES (2, 0, 1, ?)", now)
  }

  func insertReport(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO reports (id, kind, subject, reporter, reason, created_at, status, note, closing)
      VALUES (?, 0, ?, 2, 'spam', ?, 1, 'seen', 1)
      """, id(60), id(5), now)
  }

  func moderate(_ db: borrowing Connection) throws {
    try db.run("UPDATE memes SET deleted_by_admin = 1 WHERE seq = 2")
  }

  func insertPieces(_ db: borrowing Connection) throws {
    let upload = try db.insert(
      """
      INSERT INTO unfinished_uploads (id, byte_count, received, expires_at, beginner, author)
      VALUES (?, 100, 3, ?, zeroblob(32), 1)
      RETURNING seq
      """, id(70), now + 80_000_000)
    try db.run("INSERT INTO upload_pieces (upload, start, bytes) VALUES (?, 0, x'010203')", upload)
  }

  func insertLimits(_ db: borrowing Connection) throws {
    try db.run("INSERT INTO storage_limits VALUES (1, 1000000, NULL)")
  }
}
