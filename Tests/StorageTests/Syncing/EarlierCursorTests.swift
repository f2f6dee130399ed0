import Foundation
import Memes
import SQL
import SQLite
import Support
import Testing

@testable import Storage

/// Migration 27 numbers changes for each account. Clients keep the positions that they have.
struct EarlierCursorTests {
  @Test func `positions of one sequence for all accounts stay valid`() async throws {
    try await withScratchFolder { path in
      let version = EarlierVersion(26)
      try await version.make(in: URL(filePath: path))
      var (numbers, newest, person) = ([Int64](), Int64(0), UserID(UUID()))
      try await withDatabase(at: path, Array(migrations.prefix(version.number))) { database in
        // Later changes by another account, whose newest one is gone.
        try await database.writer.transaction { db in
          try db.run(
            "INSERT INTO changes (meme, author) VALUES (randomblob(16), 2), (zeroblob(16), 2)")
          try db.run("DELETE FROM changes WHERE meme = zeroblob(16)")
        }
        let found = try await database.readers.read { db in
          (
            numbers: try db.all("SELECT number FROM changes WHERE author = 1 ORDER BY number") {
              row in try row[0] as Int64
            },
            newest: try db.first("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") { row in
              try row[0] as Int64
            },
            person: try db.first("SELECT id FROM users WHERE seq = 1") { row in
              UserID(try row.nextUUID())
            }
          )
        }
        numbers = found.numbers
        (newest, person) = (try #require(found.newest), try #require(found.person))
      }
      let last = try #require(numbers.last)
      #expect(numbers.count > 1 && newest > last)
      try await withDatabase(at: path, migrations) { database in
        let memes = MemeStore(database)
        let end = try await memes.newestPosition(of: person)
        #expect(end.number == newest && end.floor == newest)
        // The positions that the earlier version gave: before a change, and at the end.
        let before = SyncPosition(epoch: end.epoch, number: last - 1, floor: 0)
        let page = try await memes.changes(of: .person(person), since: before, limit: 10)
        #expect(page.changes.map(\.number) == [last])
        let none = try await memes.changes(of: .person(person), since: end, limit: 10)
        #expect(none.changes.isEmpty)
        try await database.writer.transaction { db in
          try db.run(
            "UPDATE memes SET version = version + 1 WHERE author = 1 AND deleted_at IS NULL")
        }
        let later = try await memes.changes(of: .person(person), since: end, limit: 10)
        #expect(later.changes.first?.number == newest + 1)
      }
    }
  }
}
