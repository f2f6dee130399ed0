import Memes
import SQL

/// Reads the rows of a table in batches, and inserts them into the other database.
struct TableCopy: Sendable {
  private let table: MovedTable
  private let columns: [TableColumn]
  private let digest: Digester
  /// The places of the key's columns.
  private let key: [Int]

  /// - Throws: ``MoveFailure`` if the columns of the two databases differ.
  init(
    _ table: MovedTable, _ source: [TableColumn], _ target: [TableColumn],
    digest: @escaping Digester
  ) throws {
    columns = try TableColumn.common(of: table.name, source, target)
    key = table.key.compactMap { [columns] name in columns.firstIndex { $0.name == name } }
    (self.table, self.digest) = (table, digest)
  }

  /// Copies all rows.
  ///
  /// - Parameter progress: receives the number of copied rows, again and again.
  /// - Throws: ``MoveFailure``.
  func copy(
    from source: borrowing Transaction, to target: borrowing Transaction, progress: (Int) -> Void
  ) throws -> TableDigest {
    let insert = """
      INSERT INTO \(table.name) (\(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """
    return try read(source) { rows in
      try MoveFailure.writing(table.name) {
        for row in rows { try target.post(insert, values: zip(columns, row).map(bindable)) }
        // Waits for the posted statements.
        _ = try target.first("SELECT 1") { row in try row.next() as Int }
      }
      progress(rows.count)
    }
  }

  /// Reads all rows.
  ///
  /// - Parameter progress: as above.
  /// - Throws: ``MoveFailure``.
  func verify(_ db: borrowing Transaction, progress: (Int) -> Void) throws -> TableDigest {
    try read(db) { progress($0.count) }
  }

  private func read(
    _ db: borrowing Transaction, _ body: ([[SQLValue]]) throws -> Void
  ) throws -> TableDigest {
    var found = TableDigest()
    var last: [SQLValue]?
    while true {
      let rows = try MoveFailure.reading(table.name) { try self.rows(after: last, in: db) }
      for row in rows { found.add(row, by: digest) }
      if !rows.isEmpty { try body(rows) }
      guard rows.count == table.batch, let end = rows.last else { return found }
      last = key.map { end[$0] }
    }
  }

  /// The rows after a key; the first ones if it is `nil`.
  private func rows(
    after last: [SQLValue]?, in db: borrowing Transaction
  ) throws -> [[SQLValue]] {
    let names = table.key.map { "\"\($0)\"" }.joined(separator: ", ")
    let marks = table.key.map { _ in "?" }.joined(separator: ", ")
    let query = """
      SELECT \(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")) FROM \(table.source(db.dialect))
      \(last == nil ? "" : "WHERE (\(names)) > (\(marks))") ORDER BY \(names) LIMIT \(table.batch)
      """
    let values = try zip(key, last ?? []).map { try bindable(columns[$0], $1) }
    return try db.all(query, values: values) { row in
      var content: [SQLValue] = []
      content.reserveCapacity(columns.count)
      for _ in columns { content.append(try row.next()) }
      return content
    }
  }

  private func bindable(_ column: TableColumn, _ value: SQLValue) throws -> any Bindable {
    guard let bindable = column.type.bindable(value) else {
      throw MoveFailure.table(table.name, "column \(column.name) holds another kind of value")
    }
    return bindable
  }
}
