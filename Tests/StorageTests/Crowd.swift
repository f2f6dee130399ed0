import Foundation
import Memes
import SQL
import SQLite
import Support
import Testing

@testable import Storage

// Large numbers of people, and the cost of statements about them.

extension Scratch {
  /// Creates `count` people. The person with this username blocks all of them, in order.
  func crowd(_ count: Int, blockedBy username: String) async throws {
    try await crowd(count)
    try await database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO blocks (blocker, blocked, created_at)
        SELECT (SELECT seq FROM users WHERE username = ?), seq, 0 FROM users
        WHERE username LIKE 'crowd%' ORDER BY users.seq
        """, username)
    }
  }

  /// Creates `count` people who all block the person with this username, in order.
  func crowd(_ count: Int, blocking username: String) async throws {
    try await crowd(count)
    try await database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO blocks (blocker, blocked, created_at)
        SELECT seq, (SELECT seq FROM users WHERE username = ?), 0 FROM users
        WHERE username LIKE 'crowd%' ORDER BY users.seq
        """, username)
    }
  }

  /// Creates `count` people. The person with this username follows all of them, in order.
  func crowd(_ count: Int, followedBy username: String) async throws {
    try await crowd(count)
    try await database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO follows (follower, followed, created_at)
        SELECT (SELECT seq FROM users WHERE username = ?), seq, 0 FROM users
        WHERE username LIKE 'crowd%' ORDER BY users.seq
        """, username)
    }
  }

  private func crowd(_ count: Int) async throws {
    try await database.writer.transaction { db in
      try db.run(
        """
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
        INSERT INTO users (id, username, email, password, password_changed_at, created_at)
        SELECT randomblob(16), 'crowd_' || n, n || '@example.org', '$', 0, 0 FROM n
        """, count)
    }
  }

  /// Makes the whole crowd like a meme, and write `comments` comments each on it.
  func crowd(likes meme: MemeID, comments: Int = 0) async throws {
    try await database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO likes (meme, user, created_at)
        SELECT (SELECT seq FROM memes WHERE id = ?), seq, 0 FROM users
        WHERE username LIKE 'crowd%' ORDER BY users.seq
        """, meme.bytes)
      for _ in 0..<comments {
        try db.run(
          """
          INSERT INTO comments (id, meme, user, created_at, text)
          SELECT randomblob(16), (SELECT seq FROM memes WHERE id = ?), seq, 0, 'x' FROM users
          WHERE username LIKE 'crowd%' ORDER BY users.seq
          """, meme.bytes)
      }
    }
  }

  /// Returns the number of virtual machine instructions that SQLite needs for a statement, in steps of 100.
  ///
  /// - Parameter limit: the value of `?3`, if the statement has this parameter.
  func steps(of query: String, by person: UserID, limit: Int? = nil) throws -> Int {
    let counted = try Python.run(
      """
      import sqlite3, sys
      steps = 0
      def count():
          global steps
          steps += 100
      db = sqlite3.connect(sys.argv[1])
      # The schema is read by the first statement.
      db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
      db.set_progress_handler(count, 100)
      values = [bytes.fromhex(sys.argv[3]), 2**63 - 1] + [int(each) for each in sys.argv[4:] if each]
      db.execute(sys.argv[2], values).fetchall()
      print(steps)
      """, DataFolder.database(in: folder.path), query,
      person.description.replacing("-", with: ""), limit.map(String.init) ?? "")
    return try #require(
      Int(String(decoding: counted, as: UTF8.self).trimmingCharacters(in: .newlines)))
  }
}
