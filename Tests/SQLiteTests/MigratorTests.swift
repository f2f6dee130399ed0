import Foundation
import SQL
import SQLite
import Testing

@Suite struct MigratorTests {
  private let second = Migration(
    name: "0002_more.sql", sql: "ALTER TABLE things ADD COLUMN more TEXT;")

  @Test func `migrations run once, and new ones run later`() async throws {
    try await withScratchFile { path in
      for migrations in [[things], [things], [things, second], [things, second]] {
        let database = try SQLiteDatabase(path: path, migrator: migrator(migrations))
        let version = try pragma("user_version", database)
        #expect(version == migrations.count)
        #expect(try pragma("application_id", database) == 7)
        await database.close()
      }
    }
  }

  @Test func `the settings protect the data`() async throws {
    try await withDatabase { database in
      let settings = [
        "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0, "cell_size_check": 1,
        "page_size": 16_384, "wal_autocheckpoint": 0, "secure_delete": 1,
        // In memory, so that deleted content leaves no traces in /tmp.
        "temp_store": 2,
      ]
      for (name, value) in settings {
        let found: Int? = try await database.writer.transaction { db in
          try db.value("PRAGMA \(name)")
        }
        #expect(found == value, "\(name)")
      }
      let mode: String? = try await database.readers.read { db in
        try db.value("PRAGMA journal_mode")
      }
      #expect(mode == "wal")
      #expect(try pragma("query_only", database) == 1)
    }
  }

  @Test func `a migration that changed after it ran is rejected`() async throws {
    try await withScratchFile { path in
      await (try SQLiteDatabase(path: path, migrator: migrator())).close()
      let changed = Migration(name: things.name, sql: things.sql + " ")
      #expect(throws: MigrationError.changed(name: things.name)) {
        try SQLiteDatabase(path: path, migrator: migrator([changed]))
      }
    }
  }

  @Test func `a database of a newer version is rejected`() async throws {
    try await withScratchFile { path in
      await (try SQLiteDatabase(path: path, migrator: migrator([things, second]))).close()
      #expect(throws: MigrationError.newer(found: 2, known: 1)) {
        try SQLiteDatabase(path: path, migrator: migrator())
      }
    }
  }

  @Test func `another application's database is rejected and left unchanged`() async throws {
    try await withScratchFile { path in
      await (try SQLiteDatabase(path: path, migrator: migrator())).close()
      let before = try Data(contentsOf: URL(filePath: path))
      #expect(throws: MigrationError.foreign) {
        try SQLiteDatabase(path: path, migrator: migrator(applicationID: 8))
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a file that is not a database is rejected and left unchanged`() async throws {
    try await withScratchFile { path in
      let garbage = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
      try garbage.write(to: URL(filePath: path))
      let error = #expect(throws: MigrationError.self) {
        try SQLiteDatabase(path: path, migrator: migrator())
      }
      guard case .unreadable(let failure) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(failure.code == .notADatabase)
      #expect(try Data(contentsOf: URL(filePath: path)) == garbage)
    }
  }

  @Test func `a database with damaged pages is rejected`() async throws {
    try await withScratchFile { path in
      await (try SQLiteDatabase(path: path, migrator: migrator())).close()
      var content = try Data(contentsOf: URL(filePath: path))
      // After the header of 100 bytes: the page with the schema.
      content.replaceSubrange(100..<400, with: repeatElement(0xA5, count: 300))
      try content.write(to: URL(filePath: path))
      let error = #expect(throws: MigrationError.self) {
        try SQLiteDatabase(path: path, migrator: migrator())
      }
      guard case .unreadable = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `a failed migration leaves the previous version`() async throws {
    try await withScratchFile { path in
      let broken = Migration(
        name: "0002_broken.sql",
        sql: "CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);")
      let error = #expect(throws: MigrationError.self) {
        try SQLiteDatabase(path: path, migrator: migrator([things, broken]))
      }
      guard case .failed("0002_broken.sql", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let database = try SQLiteDatabase(path: path, migrator: migrator())
      let tables: [String] = try await database.readers.read { db in
        try db.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      }
      #expect(tables == ["free", "migrations", "things"])
      await database.close()
    }
  }
}

private func pragma(_ name: String, _ database: SQLiteDatabase) throws -> Int? {
  try database.readers.blockingRead { db in
    try db.value("PRAGMA \(name)")
  }
}
