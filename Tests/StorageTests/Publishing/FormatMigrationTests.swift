import Memes
import SQL
import SQLite
import Storage
import Testing

struct FormatMigrationTests {
  @Test func `earlier pictures stay and are counted, and new formats can be added`() async throws {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0006" }
      #expect(migrations.dropFirst(before.count).first?.name == "0006_formats.sql")
      try await withDatabase(at: path, Array(before)) { database in
        try await database.insertFirstMeme()
        try await database.insertFirstMeme()
      }
      try await withDatabase(at: path, migrations) { database in
        let kept = try rows(database)
        let sizes = [1000, 500, 50, 10]
        let first = (0..<4).map { "1 \($0) jpeg \(sizes[$0])" }
        let second = (0..<4).map { "2 \($0) jpeg \(sizes[$0])" }
        #expect(kept == first + second)
        #expect(try await StoredTotals(in: database).pictureBytes == 3120)
        try await database.writer.transaction { db in
          try db.run("UPDATE pictures SET format = 'avif', byte_count = 700 WHERE role = 1")
          try db.run("UPDATE pictures SET format = 'heic' WHERE role = 0")
        }
        #expect(try await StoredTotals(in: database).pictureBytes == 3520)
        for change in [
          "UPDATE pictures SET format = 'bmp'", "UPDATE pictures SET blob = 1",
          "UPDATE pictures SET blob = 99 WHERE meme = 1 AND role = 0",
          "DELETE FROM memes",
        ] {
          await #expect(throws: MemeError.self, "\(change)") {
            try await database.writer.transaction { db in try db.run(change) }
          }
        }
        try await database.writer.transaction { db in
          try db.run("DELETE FROM pictures WHERE meme = 2")
        }
        #expect(try await StoredTotals(in: database).pictureBytes == 1760)
      }
    }
  }

  private func rows(_ database: SQLiteDatabase) throws -> [String] {
    try database.readers.blockingRead { db in
      try db.all("SELECT meme, role, format, byte_count FROM pictures ORDER BY meme, role") {
        row in
        "\(try row[0] as Int) \(try row[1] as Int) \(try row[2] as String) \(try row[3] as Int)"
      }
    }
  }
}
