import Memes
import SQL
import SQLite

/// The checks that SQLite provides: pages, indexes, constraints and references.
struct SQLiteStructure: StructureCheck {
  let readers: any Readers
  /// Whether a server writes to the database. Then no read may be long, so the integrity check skips the largest tables
  /// and the list of free pages. Every row of those tables is read anyway when its owner is checked.
  let isInUse: Bool
  /// Ends long queries; `nil` if they always run to completion.
  let interruption: Interruption?

  private static let largestTables: Set = ["blobs", "upload_pieces"]

  func findings() -> [Finding] {
    let tables: [String]
    do {
      tables = try readers.blockingRead { db in
        try db.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      }
    } catch { return [damage("file=mememe.db", error)] }
    let structure =
      isInUse
      ? tables.filter { !Self.largestTables.contains($0) }.flatMap { integrity(of: $0) }
      : integrity(of: nil)
    return structure + tables.flatMap(references(of:))
  }

  /// - Parameter table: `nil` checks the whole file.
  private func integrity(of table: String?) -> [Finding] {
    let place = table.map { "table=\($0)" } ?? "file=mememe.db"
    do {
      let lines: [String] = try readers.blockingRead { db in
        guard let table else {
          return try whole(db)
        }
        return try db.column("SELECT integrity_check FROM pragma_integrity_check(?)", table)
      }
      return lines.filter { $0 != "ok" }.map { Finding(.damagedFile, place, $0) }
    } catch { return [damage(place, error)] }
  }

  private func whole(
    _ db: borrowing Transaction
  ) throws -> [String] {
    guard let interruption else { return try lines(db) }
    return try db.ended(by: interruption) { try lines(db) }
  }

  private func lines(
    _ db: borrowing Transaction
  ) throws -> [String] {
    try db.column("PRAGMA integrity_check")
  }

  private func references(of table: String) -> [Finding] {
    let place = "table=\(table)"
    do {
      return try readers.blockingRead { db in
        try db.all(
          "SELECT parent, count(*) FROM pragma_foreign_key_check(?) GROUP BY parent", table
        ) { row in
          let (parent, count): (String, Int) = (try row[0], try row[1])
          return .brokenReference(of: table, to: parent, count: count)
        }
      }
    } catch { return [damage(place, error)] }
  }

  private func damage(_ place: String, _ error: any Error) -> Finding {
    Finding(.damagedFile, place, error.reason)
  }
}

extension Finding {
  static func brokenReference(of table: String, to parent: String, count: Int) -> Finding {
    Finding(
      .brokenReference, "table=\(table)", "rows that refer to missing rows of \(parent): \(count)",
      repair: ReferenceRule.isRepairable(table, parent: parent) ? .references(table: table) : nil)
  }
}
