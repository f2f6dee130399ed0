import SQL

/// The highest number that a table has given to a row. Numbers are never used again, so the copy must go on after it.
enum RowNumbers {
  static func highest(
    of table: String, _ column: String, in db: borrowing Transaction
  ) throws -> Int64 {
    let query =
      switch db.dialect {
      case .sqlite:
        """
        SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '\(table)'),
          (SELECT max(\(column)) FROM \(table)), 0)
        """
      case .postgreSQL:
        "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \(table)_\(column)_seq"
      }
    return try db.value(query) ?? 0
  }

  /// Lets the next row have the number after this one.
  static func set(
    _ number: Int64, of table: String, _ column: String, in db: borrowing Transaction
  ) throws {
    switch db.dialect {
    case .sqlite:
      // Of the other tables, SQLite uses the number after the highest one that exists.
      try db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
      try db.run(
        """
        INSERT INTO sqlite_sequence (name, seq) SELECT name, ? FROM sqlite_schema
        WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'
        """, number, table)
    case .postgreSQL:
      _ = try db.first("SELECT setval('\(table)_\(column)_seq', ?, ?)", max(1, number), number > 0)
      {
        row in try row.next() as Int64
      }
    }
  }
}
