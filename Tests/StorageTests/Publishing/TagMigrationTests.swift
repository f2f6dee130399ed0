import Memes
import SQL
import SQLite
import Storage
import Testing

struct TagMigrationTests {
  @Test func `the upgrade marks the tags of public memes, and they follow every change`()
    async throws
  {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0046" }
      #expect(migrations.dropFirst(before.count).first?.name == "0046_public_tags.sql")
      try await withDatabase(at: path, Array(before)) { database in
        for _ in 1...3 { try await database.insertFirstMeme() }
        try await database.writer.transaction { db in
          try db.run(
            """
            INSERT INTO users (id, username, email, password, password_changed_at, created_at)
            VALUES (randomblob(16), 'ada', 'ada@example.org', '$', 0, 0)
            """)
          try db.run("UPDATE memes SET author = 1")
          try db.run("UPDATE memes SET visibility = 1 WHERE seq = 2")
          try db.run("UPDATE memes SET deleted_at = 9 WHERE seq = 3")
          for (tag, meme) in [("one", 1), ("two", 2), ("three", 3)] {
            try db.run("INSERT INTO meme_tags (tag, meme) VALUES (?, ?)", tag, meme)
          }
        }
      }
      try await withDatabase(at: path, migrations) { database in
        func marked() throws -> [String] {
          try database.readers.blockingRead { db in
            try db.column("SELECT tag FROM meme_tags WHERE is_public ORDER BY tag")
          }
        }
        #expect(try marked() == ["one"])
        try await database.writer.transaction { db in
          try db.run("UPDATE memes SET visibility = 0 WHERE seq = 2")
          try db.run("UPDATE memes SET deleted_at = NULL WHERE seq = 3")
          try db.run("INSERT INTO meme_tags (tag, meme) VALUES ('more', 1)")
        }
        #expect(try marked() == ["more", "one", "three", "two"])
        try await database.writer.transaction { db in
          try db.run("UPDATE memes SET visibility = 2 WHERE seq = 1")
          try db.run("INSERT INTO meme_tags (tag, meme) VALUES ('hidden', 1)")
        }
        #expect(try marked() == ["three", "two"])
      }
    }
  }
}
