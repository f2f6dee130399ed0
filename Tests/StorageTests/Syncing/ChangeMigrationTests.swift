import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

struct ChangeMigrationTests {
  @Test func `memes from before the changes table are reported in order`() async throws {
    try await withScratchFolder { path in
      // This folder stays empty: a store needs a folder, but the test only needs the database.
      let folder = try DataFolder(path: path + "-folder")
      defer { try? FileManager.default.removeItem(atPath: path + "-folder") }
      let before = migrations.prefix { $0.name < "0022" }
      #expect(migrations.dropFirst(before.count).first?.name == "0022_changes.sql")
      var (ids, ada): ([MemeID], Author?) = ([], nil)
      try await withDatabase(at: path, Array(before)) { database in
        // The store writes all current columns.
        let later = [
          ("memes", "is_private_only INTEGER NOT NULL DEFAULT 0"),
          ("users", "former_username TEXT"), ("users", "renamed_at INTEGER"),
          ("users", "stored_bytes INTEGER NOT NULL DEFAULT 0"), ("users", "quota_bytes INTEGER"),
          ("users", "email_confirmed_at INTEGER"), ("memes", "tags TEXT NOT NULL DEFAULT '[]'"),
          ("memes", "remix_of BLOB"),
          ("memes", "pictures TEXT NOT NULL DEFAULT '[]'"),
          ("memes", "same_size INTEGER NOT NULL DEFAULT 0"),
        ]
        try await database.writer.transaction { db in
          for (table, column) in later { try db.run("ALTER TABLE \(table) ADD COLUMN \(column)") }
        }
        let store = Scratch(folder: folder, database: database)
        let (person, other) = (try await store.person("ada"), try await store.person("bob"))
        for _ in 0..<3 {
          ids.append(try await store.make(.private, by: person))
          _ = try await store.make(by: other)
          _ = try await store.make()
        }
        try await store.memes.delete(
          ids[1], if: .any, at: Timestamp(millisecondsSince1970: 9), restorable: true)
        ada = person
        try await database.writer.transaction { db in
          for (table, column) in later {
            let name = column.prefix { $0 != " " }
            try db.run("ALTER TABLE \(table) DROP COLUMN \(name)")
          }
        }
      }
      let person = try #require(ada)
      try await withDatabase(at: path, migrations) { database in
        let store = Scratch(folder: folder, database: database)
        var follower = Follower(store: store, viewer: .person(person.id))
        try await follower.expect(["upsert \(ids[0]) 3", "upsert \(ids[2]) 3"])
        _ = try await store.memes.restore(
          ids[1], deletedAfter: Timestamp(millisecondsSince1970: 0))
        let nobodys = try await store.make()
        _ = try await store.memes.claim(nobodys, for: person.id)
        try await follower.expect(["upsert \(ids[1]) 3", "upsert \(nobodys) 3"])
      }
    }
  }
}
