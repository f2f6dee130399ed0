import Foundation
import SQLite

/// Gives `body` a path for a database file in a folder of its own.
func withScratchFile(_ body: (String) async throws -> Void) async throws {
  let folder = NSTemporaryDirectory() + "mememe-sqlite-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder + "/test.db")
}

/// Gives `body` a database with a table of each kind of column.
func withDatabase(_ body: (Database) async throws -> Void) async throws {
  try await withScratchFile { path in
    let database = try Database(path: path, migrator: migrator())
    try await body(database)
    await database.close()
  }
}

let things = Migration(
  name: "0001_things.sql",
  sql: """
    CREATE TABLE things (
      id INTEGER PRIMARY KEY, number INTEGER, fraction REAL, text TEXT, bytes BLOB,
      parent INTEGER REFERENCES things (id)
    ) STRICT;
    CREATE TABLE free (value);
    """)

func migrator(_ migrations: [Migration] = [things], applicationID: Int32 = 7) -> Migrator {
  Migrator(applicationID: applicationID, migrations: migrations)
}

extension String {
  /// So many times the same letter. `String(repeating:count:)` takes a second for millions.
  static func filled(_ letter: Character, _ count: Int) -> String {
    String(decoding: Array(repeating: letter.asciiValue ?? 0, count: count), as: UTF8.self)
  }
}
