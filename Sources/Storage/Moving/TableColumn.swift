import SQL

/// A column whose values are copied. Computed columns are none.
struct TableColumn: Equatable, Sendable {
  let name: String
  let type: SQLType

  /// The columns of a table, in the order of their names. SQLite does not list `popularity`, which it generates. A
  /// trigger of PostgreSQL computes it.
  static func all(of table: String, in db: borrowing Transaction) throws -> [TableColumn] {
    let query =
      switch db.dialect {
      case .sqlite: "SELECT name, type FROM pragma_table_info(?) ORDER BY name"
      case .postgreSQL:
        """
        SELECT CAST(attname AS text), format_type(atttypid, NULL) FROM pg_attribute
        WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped AND attname <> 'popularity'
        ORDER BY attname
        """
      }
    return try db.all(query, table) { row in
      let (name, type) = (try row.next() as String, try row.next() as String)
      guard let type = SQLType(column: type) else {
        throw MoveFailure.table(table, "column \(name) has the type \(type)")
      }
      return TableColumn(name: name, type: type)
    }
  }

  /// The columns of two tables that must have the same names.
  ///
  /// - Throws: ``MoveFailure``.
  static func common(
    of table: String, _ source: [TableColumn], _ target: [TableColumn]
  ) throws -> [TableColumn] {
    guard !source.isEmpty, source.map(\.name) == target.map(\.name) else {
      throw MoveFailure.table(table, "the columns differ")
    }
    // SQLite has no boolean type.
    return zip(source, target).map { $0.type == .boolean ? $0 : $1 }
  }
}

extension SQLType {
  /// The type of a column, by its name in the engine's catalog.
  fileprivate init?(column name: String) {
    switch name {
    case "INTEGER", "bigint": self = .integer
    case "REAL", "double precision": self = .real
    case "TEXT", "text": self = .text
    case "BLOB", "bytea": self = .blob
    case "boolean": self = .boolean
    default: return nil
    }
  }
}
