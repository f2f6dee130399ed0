package import Foundation
import Memes
import SQL
import SQLite
import Storage
import mememe

/// A database as an earlier version of the program left it, with rows in every table of that version.
package struct EarlierVersion: Sendable, CustomStringConvertible {
  /// The number of its migrations.
  package let number: Int

  package init(_ number: Int) { self.number = number }

  package var description: String { "version \(number)" }

  /// The version to which the program upgrades all others.
  package static var latest: EarlierVersion { EarlierVersion(Assets.migrations.count) }

  /// Every version except the latest.
  package static var all: [EarlierVersion] {
    (1..<Assets.migrations.count).map(EarlierVersion.init)
  }

  /// Makes the database in a folder: one file, without a log.
  ///
  /// - Parameter more: the number of additional memes.
  package func make(in folder: URL, more: Int = 0) async throws {
    let version = number
    let picture = try EarlierPicture(Fixture.transparent.bytes, width: 120, height: 90)
    try await withDatabase(in: folder, migrations: version) { database in
      try await database.writer.transaction { db in
        let rows = EarlierRows(
          version: version, picture: picture, now: Timestamp.now().millisecondsSince1970)
        try rows.insert(in: db)
        for number in 0..<more { try rows.insertMeme(number + 100, "more", in: db) }
      }
    }
  }

  /// Returns the contents of this version's tables, before or after an upgrade. The folder must not be in use.
  ///
  /// - Parameter columns: the columns to read, or `nil` for all columns of a database that was not upgraded yet.
  package func contents(
    of folder: URL, columns: [String: [String]]? = nil
  ) async throws -> EarlierContents {
    let migrations = columns == nil ? number : Assets.migrations.count
    return try await withDatabase(in: folder, migrations: migrations) { database in
      try await database.readers.read { db in try EarlierContents(columns, in: db) }
    }
  }
}

private func withDatabase<Value>(
  in folder: URL, migrations count: Int, _ body: (SQLiteDatabase) async throws -> Value
) async throws -> Value {
  let data = try DataFolder(path: folder.path)
  let database = try MemeDatabase.open(
    in: data,
    migrations: Assets.migrations.prefix(count).map { Migration(name: $0.name, sql: $0.sql) })
  let value = try await body(database)
  await database.close()
  return withExtendedLifetime(data) { value }
}

/// Rows of a database as text, table by table.
package struct EarlierContents: Sendable {
  /// The columns that a later version has no longer.
  private static let dropped: Set = ["totals.notified"]

  package let columns: [String: [String]]
  /// In no particular order.
  package let rows: [String: [String]]

  init(
    _ wanted: [String: [String]]?, in db: borrowing Transaction
  ) throws {
    let tables: [String] = try db.column(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'meme\\_words\\_%' ESCAPE '\\'
      """)
    var (columns, rows): ([String: [String]], [String: [String]]) = ([:], [:])
    for table in tables where wanted == nil || wanted?[table] != nil {
      let found: [String] = try db.column("SELECT name FROM pragma_table_info(?)", table)
      let names = (wanted?[table] ?? found).filter { !Self.dropped.contains("\(table).\($0)") }
      columns[table] = names
      // The only column that was renamed.
      let read = names.map { found.contains($0) ? "quote(\($0))" : "quote(made)" }
      rows[table] = try db.all(
        "SELECT \(read.joined(separator: " || ',' || ")) FROM \(table)"
      ) { row in try row[0] }
    }
    (self.columns, self.rows) = (columns, rows)
  }
}
