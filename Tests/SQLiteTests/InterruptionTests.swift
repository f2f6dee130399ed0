import Foundation
import Testing

@testable import SQL
@testable import SQLite

struct InterruptionTests {
  private static let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test func `an interruption ends the current query and all later ones`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator([]))
      let interruption = Interruption()
      Thread.detachNewThread {
        usleep(50_000)
        interruption.interrupt()
      }
      for _ in 0..<2 { #expect(code(of: database, interruption) == .interrupted) }
      // A read without the interruption still runs.
      let version: Int? = try await database.readers.read { db in
        try db.value("PRAGMA user_version")
      }
      #expect(version == 0)
      await database.close()
    }
  }

  /// Returns the error code with which an endless query ends.
  private func code(of database: SQLiteDatabase, _ interruption: Interruption) -> DatabaseError
    .Code?
  {
    do {
      try database.readers.blockingRead { db in
        try db.ended(by: interruption) {
          _ = try db.first(Self.endless) { row in try row[0] as Int }
        }
      }
      return nil
    } catch { return (error as? DatabaseError)?.code }
  }
}
