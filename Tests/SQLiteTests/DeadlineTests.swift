import SQLite
import Testing

struct DeadlineTests {
  private let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test func `a query that takes too long is ended, and nothing else`() async throws {
    try await withDatabase { database in
      let began = ContinuousClock.now
      let error = #expect(throws: SQLiteError.self) {
        try database.readers.read { db throws(SQLiteError) in
          try db.within(.milliseconds(50)) { () throws(SQLiteError) in try db.run(endless) }
        }
      }
      #expect(error?.code == .interrupted)
      #expect(ContinuousClock.now - began >= .milliseconds(50))
      // The same connection has no deadline any more.
      let count = try database.readers.read { db throws(SQLiteError) in
        try db.within(.seconds(600)) { () throws(SQLiteError) in _ = try db.run("SELECT 1") }
        return try db.first(
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT max(i) FROM n"
        ) { row throws(SQLiteError) in try row[0] as Int }
      }
      #expect(count == 100_000)
    }
  }
}
