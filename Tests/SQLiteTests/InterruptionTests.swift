import Foundation
import Testing

@testable import SQLite

struct InterruptionTests {
  private static let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test func `it ends what is under way, from another thread, and all that follows`() async throws {
    try await withScratchFile { path in
      let database = try Database(path: path, migrator: migrator([]))
      let interruption = Interruption()
      Thread.detachNewThread {
        usleep(50_000)
        interruption.interrupt()
      }
      for _ in 0..<2 { #expect(code(of: database, interruption) == .interrupted) }
      // Whoever did not agree to it goes on.
      let version = try database.readers.read { db throws(SQLiteError) in
        try db.first("PRAGMA user_version") { row throws(SQLiteError) in try row[0] as Int }
      }
      #expect(version == 0)
      await database.close()
    }
  }

  /// What an endless query ends with.
  private func code(of database: Database, _ interruption: Interruption) -> SQLiteError.Code? {
    do throws(SQLiteError) {
      try database.readers.read { db throws(SQLiteError) in
        try db.ended(by: interruption) { () throws(SQLiteError) in
          _ = try db.first(Self.endless) { row throws(SQLiteError) in try row[0] as Int }
        }
      }
      return nil
    } catch { return error.code }
  }
}
