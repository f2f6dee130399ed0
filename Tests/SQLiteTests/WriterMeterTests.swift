import Metrics
import SQLite
import Testing

struct WriterMeterTests {
  @Test func `what is committed is counted and timed, and nothing else`() async throws {
    try await withDatabase { database in
      let meter = database.writer.meter
      let before = meter.commitSeconds.count
      for number in 1...3 {
        try await database.writer.transaction { db throws(SQLiteError) in
          try db.run("INSERT INTO things (id) VALUES (?)", number)
        }
      }
      _ = try? await database.writer.transaction { db throws(SQLiteError) in
        try db.run("INSERT INTO things (id) VALUES (1)")
      }
      try database.readers.read { db throws(SQLiteError) in
        _ = try db.first("SELECT 1") { _ in true }
      }
      #expect(meter.commitSeconds.count - before == 3)
      #expect(meter.transactions.value == 3)
      #expect(meter.commitSeconds.reading.sumSeconds > 0)
      #expect(meter.checkpointSeconds.count == 0)
    }
  }

  @Test func `a checkpoint is counted and timed when enough has come together`() async throws {
    try await withDatabase { database in
      let bytes = [UInt8](repeating: 7, count: 12 << 20)
      for _ in 0..<3 {
        try await database.writer.transaction { db throws(SQLiteError) in
          try db.run("INSERT INTO things (bytes) VALUES (?)", bytes)
        }
      }
      // What follows a transaction is over before the next one begins.
      try await database.writer.transaction { db throws(SQLiteError) in
        try db.run("DELETE FROM free")
      }
      #expect(database.writer.meter.checkpointSeconds.count == 1)
    }
  }
}
