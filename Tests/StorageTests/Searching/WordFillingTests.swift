import Memes
import SQL
import SQLite
import Storage
import Synchronization
import Testing

/// Memes and people from before the search existed.
struct WordFillingTests {
  private func withEarlier(
    _ body: (SQLiteDatabase, WordStore) async throws -> Void
  ) async throws {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0018" }
      #expect(migrations.dropFirst(before.count).first?.name == "0018_finding.sql")
      try await withDatabase(at: path, Array(before)) { database in
        for _ in 0..<3 { try await database.insertFirstMeme() }
        try await database.writer.transaction { db in
          for (name, display) in [("ada", "Ádá Lovelace"), ("bob", nil)] {
            try db.run(
              """
              INSERT INTO users (id, username, email, display_name, password, password_changed_at, created_at)
              VALUES (randomblob(16), ?1, ?1 || '@example.org', ?2, '$', 0, 0)
              """, name, display as String?)
          }
          try db.run("UPDATE memes SET author = 1 WHERE seq = 2")
          try db.run(
            """
            UPDATE memes SET captions = '[{"text":"boxed","x":0,"y":0,"width":1,"height":1,"rotation":0,"verticalAlign":"top"}]'
            WHERE seq = 1
            """)
        }
      }
      try await withDatabase(at: path, migrations) { try await body($0, WordStore($0)) }
    }
  }

  private func found(_ text: String, _ database: SQLiteDatabase) async throws -> Int {
    let listing = MemeListing(
      for: .anonymous, .matching(try SearchQuery(text).words, by: nil), limit: 10)
    return try await MemeStore(database).gridCells(listing).items.count
  }

  @Test func `old memes are indexed in turn, the newest first, each once`() async throws {
    try await withEarlier { database, words in
      #expect(try await found("top", database) == 0)
      #expect(try await words.fillWords(atMost: 1) == 1)
      #expect(try database.integer("SELECT -rowid FROM meme_words") == 3)
      #expect(try database.integer("SELECT count(*) FROM meme_words") == 1)
      // New memes already have their words.
      _ = try await MemeStore(database).insert(try newMeme())
      #expect(try await found("simply", database) == 1)
      #expect(try await words.fillWords(atMost: 10) == 2)
      #expect(try await found("top", database) == 3)
      #expect(try await found("alt", database) == 3)
      #expect(try await found("boxed", database) == 1)
      #expect(
        try database.integer(
          "SELECT -rowid FROM meme_words WHERE meme_words MATCH 'author : \"1\"'")
          == 2)
      #expect(try await words.fillWords(atMost: 10) == 2)
      #expect(try await words.fillWords(atMost: 10) == 0)
      #expect(try database.integer("SELECT count(*) FROM meme_words") == 4)
      #expect(
        try database.integer(
          "SELECT count(*) FROM user_words WHERE (kind, word) IN (VALUES (0, 'ada'), (0, 'bob'), (1, 'ada'), (1, 'lovelace'))"
        ) == 4)
      #expect(try database.integer("SELECT count(*) FROM user_words") == 4)
    }
  }

  @Test func `a meme that is removed first gets no words, and a changed name is current`()
    async throws
  {
    try await withEarlier { database, words in
      try await database.writer.transaction { db in
        try db.run("DELETE FROM pictures")
        try db.run("DELETE FROM memes WHERE seq = 3")
        try db.run("UPDATE users SET display_name = 'Countess' WHERE username = 'ada'")
      }
      while try await words.fillWords(atMost: 1) > 0 {}
      #expect(try database.integer("SELECT count(*) FROM meme_words") == 2)
      #expect(
        try database.integer("SELECT count(*) FROM user_words WHERE kind = 1 AND word = 'countess'")
          == 1)
    }
  }

  /// Cached search results are kept until observers are notified.
  @Test func `observers are notified when more can be found`() async throws {
    try await withEarlier { database, _ in
      let listener = Listener()
      let words = WordStore(database, observers: [listener])
      var batches = 0
      while try await words.fillWords(atMost: 2) > 0 { batches += 1 }
      // Two batches of memes and one of people.
      #expect(batches == 3 && listener.heard == [.many, .many])
    }
  }

  private final class Listener: ChangeObserver {
    private let changes = Mutex<[MemeChange]>([])

    var heard: [MemeChange] { changes.withLock { $0 } }

    func changed(_ change: MemeChange) { changes.withLock { $0.append(change) } }
  }

  @Test func `a new database has nothing to fill`() async throws {
    try await withStore { store in
      _ = try await store.memes.insert(try newMeme())
      #expect(try await WordStore(store.database).fillWords(atMost: 10) == 0)
      #expect(try store.database.integer("SELECT count(*) FROM meme_words") != 0)
    }
  }
}
