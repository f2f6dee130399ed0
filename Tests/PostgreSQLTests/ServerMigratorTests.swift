import Eventually
import SQL
import Support
import Synchronization
import Testing

@testable import PostgreSQL

struct ServerMigratorTests {
  @Test func `migrations run once, also if servers start together`() async throws {
    try await withDatabase { _, address in
      let second = Migration(name: "0002_more.sql", sql: "CREATE TABLE more (seq bigint)")
      let first = Migration(name: "0001_test.sql", sql: "CREATE TABLE files (seq bigint)")
      let changed = #expect(throws: UnusableServer.self) {
        try ServerMigrator([first, second]).migrate(address)
      }
      #expect(changed == .changed(name: "0001_test.sql"))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { () async in
            do { try ServerMigrator([second]).migrate(address) } catch { Issue.record(error) }
          }
        }
      }
      #expect(throws: UnusableServer.newer(found: 2, known: 1)) {
        try ServerMigrator([Migration(name: "0001_test.sql", sql: "")]).migrate(address)
      }
    }
  }

  @Test
  func `a database that was migrated with an earlier text stays usable, if the new text names it`()
    async throws
  {
    try await withDatabase { _, address in
      let earlier = Migration(name: "0002_more.sql", sql: "CREATE TABLE more (seq bigint)")
      try ServerMigrator([schema, earlier]).migrate(address)
      // The SHA-256 of the earlier text, and one that differs in its last digit.
      let digest = "b253e36d281b0db7ba8980888cd8cc596f8c4043017d4574b23fac81930fa64"
      for (end, isUsable) in [("9", true), ("0", false)] {
        let corrected = Migration(
          name: "0002_more.sql",
          sql: """
            -- Quotes a name.
            -- corrects \(String(repeating: "0", count: 64))
            -- corrects \(digest)\(end)
            CREATE TABLE "more" (seq bigint)
            """)
        let migrator = ServerMigrator([schema, corrected])
        if isUsable {
          try migrator.migrate(address)
          try migrator.check(address)
        } else {
          #expect(throws: UnusableServer.changed(name: "0002_more.sql")) {
            try migrator.migrate(address)
          }
        }
      }
    }
  }

  @Test func `an earlier program runs beside a migration that allows it`() async throws {
    try await withDatabase { _, address in
      let wider = Migration(
        name: "0002_wider.sql",
        sql: "-- Adds a column.\n-- compatible from 1\nALTER TABLE files ADD COLUMN more bigint")
      let narrower = Migration(
        name: "0003_narrower.sql",
        sql: "-- compatible from 2\nALTER TABLE files DROP COLUMN is_open")
      try ServerMigrator([schema, wider]).migrate(address)
      try ServerMigrator([schema]).migrate(address)
      try ServerMigrator([schema]).check(address)
      try ServerMigrator([schema, wider, narrower]).migrate(address)
      #expect(throws: UnusableServer.newer(found: 3, known: 1)) {
        try ServerMigrator([schema]).migrate(address)
      }
      try ServerMigrator([schema, wider]).migrate(address)
    }
  }

  @Test func `a migration that waits for a table lets others use it`() async throws {
    try await withDatabase { database, address in
      let isReleased = Mutex(false)
      async let use: Void = database.writer.transaction { db in
        _ = try db.count("files")
        while !isReleased.withLock({ $0 }) {
          _ = try db.first("SELECT pg_sleep(0.01) IS NULL") { row in try row.next() as Bool }
        }
      }
      func locks(_ condition: String) async throws -> Int? {
        try await database.readers.read { db in
          try db.value(
            "SELECT count(*) FROM pg_locks WHERE \(condition) AND relation = 'files'::regclass")
        }
      }
      try await eventually("a request uses the table") { try await locks("granted") == 1 }
      let wider = Migration(
        name: "0002_wider.sql", sql: "ALTER TABLE files ADD COLUMN more bigint")
      async let migrated: Void = blocking {
        try ServerMigrator([schema, wider]).migrate(address)
      }
      try await eventually("the migration waits") { try await locks("NOT granted") == 1 }
      // It waits behind the migration, which gives up for a while.
      #expect(try await files(in: database) == 0)
      isReleased.withLock { $0 = true }
      _ = try await (use, migrated)
      try ServerMigrator([schema, wider]).check(address)
    }
  }

  @Test func `a failed migration leaves nothing`() async throws {
    try await withDatabase { _, address in
      let broken = Migration(name: "0002_broken.sql", sql: "CREATE TABLE a (b bigint); SELEC")
      let right = Migration(name: "0002_broken.sql", sql: "CREATE TABLE a (b bigint)")
      do {
        try ServerMigrator([broken]).migrate(address)
        Issue.record("no error")
      } catch UnusableServer.failed(let name, _) { #expect(name == "0002_broken.sql") }
      try ServerMigrator([right]).migrate(address)
    }
  }
}
