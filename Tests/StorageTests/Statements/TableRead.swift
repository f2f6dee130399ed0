import Foundation

/// A way to read a table, as SQLite chose it.
struct TableRead: Hashable {
  /// The alias of the table in the statement, otherwise its name.
  let table: String
  /// The name of the index. A table is also read by its `INTEGER PRIMARY KEY` or `PRIMARY KEY`.
  let index: String
  /// The conditions that the index answers, such as `seq<?`; `nil` if any are allowed.
  let bounds: Set<String>?
  /// Whether the plan calls it a scan, as it does for virtual tables.
  let isScan: Bool

  private init(_ table: String, _ index: String, _ bounds: String?, isScan: Bool = false) {
    (self.table, self.index, self.isScan) = (table, index, isScan)
    self.bounds = bounds.map(Self.conditions)
  }

  /// Rows of an index. It does not matter whether the index covers the statement: SQLite 3.46 finds that it does more
  /// often than SQLite 3.40.
  static func index(_ index: String, of table: String, _ bounds: String? = nil) -> TableRead {
    TableRead(table, index, bounds)
  }

  /// Rows of a table without a rowid, by its key.
  static func key(of table: String, _ bounds: String) -> TableRead {
    TableRead(table, "PRIMARY KEY", bounds)
  }

  /// One row, by its rowid.
  static func row(of table: String) -> TableRead {
    TableRead(table, "INTEGER PRIMARY KEY", "rowid=?")
  }

  /// Rows of a virtual table. FTS5 reports its plan instead of an index: the number has a bit for each order, M is a
  /// MATCH, and < or > is a bound on the rowid.
  static func virtual(_ plan: String, of table: String) -> TableRead {
    TableRead(table, plan, nil, isScan: true)
  }

  /// The parts of a condition, whose order differs between versions of SQLite.
  static func conditions(_ text: String) -> Set<String> {
    Set(text.components(separatedBy: " AND "))
  }
}

extension TableRead: CustomStringConvertible {
  var description: String {
    let conditions = (bounds ?? []).sorted().joined(separator: " AND ")
    return "\(table) by \(index)" + (conditions.isEmpty ? "" : " (\(conditions))")
  }
}
