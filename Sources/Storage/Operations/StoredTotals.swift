package import SQLite

/// How much the database holds.
package struct StoredTotals: Sendable, Equatable {
  package let memes: Int
  /// Of all pictures of all memes.
  package let pictureBytes: Int

  /// Reads one row that triggers keep up to date, on the caller's thread.
  package init(in database: Database) throws(SQLiteError) {
    let found = try database.readers.read { db throws(SQLiteError) in
      try db.first("SELECT memes, picture_bytes FROM totals WHERE id = 1") {
        row throws(SQLiteError) in (memes: try row[0] as Int, bytes: try row[1] as Int)
      }
    }
    guard let found else { throw SQLiteError(.corrupt, "The row of totals is missing.") }
    (memes, pictureBytes) = (found.memes, found.bytes)
  }
}
