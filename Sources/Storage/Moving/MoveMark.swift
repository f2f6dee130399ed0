import SQL

/// Marks a database as the target of an unfinished move, in the table `moves`. It is there from before the first row
/// until all rows are verified.
enum MoveMark {
  /// The epoch of the installation that is moved; `nil` if the move is finished, or never began.
  static func source(in db: borrowing Transaction) throws -> [UInt8]? {
    try db.value("SELECT source FROM moves")
  }

  static func set(_ source: [UInt8], in db: borrowing Transaction) throws {
    try db.run("INSERT INTO moves (id, source) VALUES (1, ?)", source)
  }
}
