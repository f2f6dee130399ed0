import SQL
import SQLite
import Testing

struct DeadlineTests {
  private let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test func `only a query over its deadline is interrupted`() async throws {
    try await withDatabase { database in
      let began = ContinuousClock.now
      let error = #expect(throws: DatabaseError.self) {
        try database.readers.blockingRead { db in
          try db.within(.milliseconds(50)) { try db.run(endless) }
        }
      }
      #expect(error?.code == .interrupted)
      #expect(ContinuousClock.now - began >= .milliseconds(50))
      // The connection has no deadline now.
      let count = try database.readers.blockingRead { db in
        try db.within(.seconds(600)) { _ = try db.run("SELECT 1") }
        return try db.first(
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT max(i) FROM n"
        ) { row in try row[0] as Int }
      }
      #expect(count == 100_000)
    }
  }
}
