package import SQLite

/// How much the database holds.
package struct StoredTotals: Sendable, Equatable {
  /// Memes that people see.
  package let visible: Int
  /// Memes in the trash.
  package let deleted: Int
  /// Of all pictures of all memes.
  package let pictureBytes: Int

  /// Reads one row that triggers keep up to date, on the caller's thread.
  package init(in database: Database) throws(SQLiteError) {
    let found = try database.readers.read { db throws(SQLiteError) in
      try db.first("SELECT visible, deleted, picture_bytes FROM totals WHERE id = 1") {
        row throws(SQLiteError) in
        (visible: try row[0] as Int, deleted: try row[1] as Int, bytes: try row[2] as Int)
      }
    }
    guard let found else { throw SQLiteError(.corrupt, "The row of totals is missing.") }
    (visible, deleted, pictureBytes) = (found.visible, found.deleted, found.bytes)
  }
}
