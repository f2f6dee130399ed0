import Metrics
import SQL
import SQLite
import Testing

struct WriterMeterTests {
  @Test func `only commits are counted and timed`() async throws {
    try await withDatabase { database in
      let meter = database.writer.meter
      let before = meter.commitSeconds.count
      for number in 1...3 {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO things (id) VALUES (?)", number)
        }
      }
      _ = try? await database.writer.transaction { db in
        try db.run("INSERT INTO things (id) VALUES (1)")
      }
      try await database.readers.read { db in
        _ = try db.first("SELECT 1") { _ in true }
      }
      #expect(meter.commitSeconds.count - before == 3)
      #expect(meter.transactions.value == 3)
      #expect(meter.commitSeconds.reading.sumSeconds > 0)
      #expect(meter.checkpointSeconds.count == 0)
    }
  }

  @Test func `a checkpoint is counted and timed when enough was written`() async throws {
    try await withDatabase { database in
      let bytes = [UInt8](repeating: 7, count: 12 << 20)
      for _ in 0..<3 {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO things (bytes) VALUES (?)", bytes)
        }
      }
      // The work after a transaction ends before the next transaction begins.
      try await database.writer.transaction { db in
        try db.run("DELETE FROM free")
      }
      #expect(database.writer.meter.checkpointSeconds.count == 1)
    }
  }
}
