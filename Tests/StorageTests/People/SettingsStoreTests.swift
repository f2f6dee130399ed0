import Memes
import SQL
import SQLite
import Testing

@testable import Storage

struct SettingsStoreTests {
  @Test func `a person's settings take two lookups by key`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plan = try await store.database.readers.read { db in
        try db.plan(of: SettingsStore.query, [0] as [UInt8])
      }
      #expect(
        plan == [
          "SEARCH users USING COVERING INDEX sqlite_autoindex_users_1 (id=?)",
          "SEARCH settings USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
        ])
    }
  }
}
