import Foundation
import SQL
import SQLite

/// Passes `body` the path of a database file in a new folder.
func withScratchFile(_ body: (String) async throws -> Void) async throws {
  let folder = NSTemporaryDirectory() + "mememe-sqlite-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder + "/test.db")
}

/// Passes `body` a database that has a table with a column of each kind.
func withDatabase(_ body: (SQLiteDatabase) async throws -> Void) async throws {
  try await withScratchFile { path in
    let database = try SQLiteDatabase(path: path, migrator: migrator())
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
  /// Returns a letter repeated `count` times. `String(repeating:count:)` takes a second for millions of letters.
  static func filled(_ letter: Character, _ count: Int) -> String {
    String(decoding: Array(repeating: letter.asciiValue ?? 0, count: count), as: UTF8.self)
  }
}
