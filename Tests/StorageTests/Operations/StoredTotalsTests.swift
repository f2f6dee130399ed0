import Memes
import SQL
import SQLite
import Storage
import Testing

struct StoredTotalsTests {
  @Test func `totals follow additions and removals`() async throws {
    try await withStore { scratch in
      #expect(try await scratch.totals == [0, 0, 0])
      // Files of 1000, 500, 50 and 10 bytes.
      try await scratch.add(byteCount: 1000)
      #expect(try await scratch.totals == [1, 0, 1560])
      try await scratch.add(byteCount: 2000)
      #expect(try await scratch.totals == [2, 0, 1560 + 3120])
      try await scratch.run("UPDATE pictures SET byte_count = byte_count + 1 WHERE role = 0")
      #expect(try await scratch.totals == [2, 0, 1562 + 3120])
      try await scratch.run("UPDATE memes SET deleted_at = 1 WHERE seq = 1")
      #expect(try await scratch.totals == [1, 1, 1562 + 3120])
      try await scratch.run("UPDATE memes SET deleted_at = 2 WHERE seq = 1")
      #expect(try await scratch.totals == [1, 1, 1562 + 3120])
      try await scratch.run("UPDATE memes SET deleted_at = NULL")
      #expect(try await scratch.totals == [2, 0, 1562 + 3120])
      try await scratch.run("UPDATE memes SET deleted_at = 3 WHERE seq = 2")
      try await scratch.run("DELETE FROM pictures")
      try await scratch.run("DELETE FROM memes")
      #expect(try await scratch.totals == [0, 0, 0])
    }
  }

  @Test func `a wrong total is corrected`() async throws {
    try await withStore { store in
      _ = try await store.make()
      let repair = RepairStore(store.database)
      #expect(try await repair.recount("visible", of: "totals") == 0)
      try await store.database.writer.transaction { db in
        try db.run("UPDATE totals SET visible = visible + 7")
      }
      _ = try await store.make()
      #expect(try await repair.recount("visible", of: "totals") == 1)
      #expect(try await StoredTotals(in: store.database).visible == 2)
    }
  }

  @Test func `rolled back changes are not counted`() async throws {
    try await withStore { scratch in
      try await scratch.add(byteCount: 1000)
      await #expect(throws: MemeError.self) {
        try await scratch.run("DELETE FROM pictures", "DELETE FROM nothing")
      }
      #expect(try await scratch.totals == [1, 0, 1560])
    }
  }

  @Test func `a database that already has memes begins with their totals`() async throws {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0004" }
      let after = migrations.dropFirst(before.count)
      #expect(before.count >= 1 && after.first?.name == "0004_totals.sql")
      try await withDatabase(at: path, Array(before)) { database in
        try await database.insertFirstMeme()
      }
      try await withDatabase(at: path, migrations) { database in
        let totals = try await StoredTotals(in: database)
        #expect((totals.visible, totals.deleted, totals.pictureBytes) == (1, 0, 1560))
      }
    }
  }
}

extension Scratch {
  fileprivate var totals: [Int] {
    get async throws {
      let totals = try await StoredTotals(in: database)
      return [totals.visible, totals.deleted, totals.pictureBytes]
    }
  }

  fileprivate func add(byteCount: Int) async throws {
    _ = try await memes.insert(try newMeme(byteCount: byteCount))
  }

  fileprivate func run(_ statements: String...) async throws {
    try await database.writer.transaction { db in
      for statement in statements { try db.run(statement) }
    }
  }
}
