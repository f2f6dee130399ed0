import Memes
import SQLite

/// What SQLite itself finds wrong: pages, indexes, constraints, references.
struct StructureCheck {
  let readers: Readers
  /// Whether a server writes. Then no read may last, so the largest tables and the list of free pages are left out; every
  /// row of those tables is read anyway where what it belongs to is checked.
  let isInUse: Bool
  /// Ends what takes long; `nil` where nothing does.
  let interruption: Interruption?

  private static let largestTables: Set = ["blobs", "upload_pieces"]

  func findings() -> [Finding] {
    let tables: [String]
    do throws(SQLiteError) {
      tables = try readers.read { db throws(SQLiteError) in
        try db.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
          row throws(SQLiteError) in try row[0]
        }
      }
    } catch { return [damage("file=mememe.db", error)] }
    let structure =
      isInUse
      ? tables.filter { !Self.largestTables.contains($0) }.flatMap { integrity(of: $0) }
      : integrity(of: nil)
    return structure + tables.flatMap(references(of:))
  }

  /// - Parameter table: `nil` for the whole file.
  private func integrity(of table: String?) -> [Finding] {
    let place = table.map { "table=\($0)" } ?? "file=mememe.db"
    do throws(SQLiteError) {
      let lines: [String] = try readers.read { db throws(SQLiteError) in
        guard let table else {
          return try whole(db)
        }
        return try db.all("SELECT integrity_check FROM pragma_integrity_check(?)", table) {
          row throws(SQLiteError) in try row[0]
        }
      }
      return lines.filter { $0 != "ok" }.map { Finding(.damagedFile, place, $0) }
    } catch { return [damage(place, error)] }
  }

  private func whole(
    _ db: borrowing Transaction<SQLiteError>
  ) throws(SQLiteError) -> [String] {
    guard let interruption else { return try lines(db) }
    return try db.ended(by: interruption) { () throws(SQLiteError) in try lines(db) }
  }

  private func lines(
    _ db: borrowing Transaction<SQLiteError>
  ) throws(SQLiteError) -> [String] {
    try db.all("PRAGMA integrity_check") { row throws(SQLiteError) in try row[0] }
  }

  private func references(of table: String) -> [Finding] {
    let place = "table=\(table)"
    do throws(SQLiteError) {
      return try readers.read { db throws(SQLiteError) in
        try db.all(
          "SELECT parent, count(*) FROM pragma_foreign_key_check(?) GROUP BY parent", table
        ) { row throws(SQLiteError) in
          let (parent, count): (String, Int) = (try row[0], try row[1])
          return Finding(
            .brokenReference, place,
            "\(count) of its rows refer to rows of \(parent) that are not there",
            mending: ReferenceRule.isMendable(table, parent: parent)
              ? .references(table: table) : nil)
        }
      }
    } catch { return [damage(place, error)] }
  }

  private func damage(_ place: String, _ error: SQLiteError) -> Finding {
    Finding(.damagedFile, place, "\(error)")
  }
}
