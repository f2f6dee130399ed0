import Bytes
package import Memes
import SQLite

/// What people did with memes, in the tables `likes`, `favorites` and `comments`: it goes with them, and with its meme. It is any
/// number of rows, so it goes some at a time.
extension SQLiteUsers {
  package func withdraw(
    _ id: UserID, if password: HashedPassword, atMost count: Int
  ) async throws(MemeError) -> Int {
    try await writer.write { db throws(MemeError) in
      guard let person = try number(of: id, if: password, in: db) else { return Written(0) }
      let (removed, memes) = try removeMarks(of: person, atMost: count, in: db)
      return Written(removed, changes: memes.map(MemeChange.counted))
    }
  }

  package func purgeDiscardedMarks(atMost count: Int) async throws(MemeError) -> Int {
    try await writer.write { db throws(MemeError) in
      let memes = try db.all("SELECT meme FROM discarded_memes LIMIT ?", count) {
        row throws(SQLiteError) in try row[0] as Int64
      }
      var removed = 0
      for meme in memes where removed < count {
        for table in markTables where removed < count {
          removed += try db.run(Self.discarding(table), meme, count - removed)
        }
        guard removed < count else { break }
        try db.run("DELETE FROM discarded_memes WHERE meme = ?", meme)
        removed += 1
      }
      return Written(removed)
    }
  }

  static func discarding(_ table: String) -> String {
    "DELETE FROM \(table) WHERE seq IN (SELECT seq FROM \(table) WHERE meme = ? LIMIT ?)"
  }

  /// Returns the meme of each row; NULL where that was purged.
  static func withdrawing(_ table: String) -> String {
    """
    DELETE FROM \(table)
    WHERE seq IN (SELECT seq FROM \(table) WHERE user = ? ORDER BY meme, seq LIMIT ?)
    RETURNING (SELECT memes.id FROM memes WHERE memes.seq = \(table).meme)
    """
  }
}

let markTables = ["likes", "favorites", "comments"]

/// Removes some of what a person did with memes.
///
/// - Returns: how many rows that were, and the memes of which counts changed.
func removeMarks(
  of person: Int64, atMost count: Int, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> (rows: Int, memes: Set<MemeID>) {
  var rows = 0
  var memes: Set<MemeID> = []
  for table in markTables where rows < count {
    if table == "comments" {
      // They tell what was said.
      try db.run(
        """
        DELETE FROM retries WHERE made IN (
          SELECT id FROM comments WHERE user = ? ORDER BY meme, seq LIMIT ?)
        """, person, count - rows)
    }
    _ = try db.all(SQLiteUsers.withdrawing(table), person, count - rows) {
      row throws(SQLiteError) in
      rows += 1
      if try row[0] as Bytes? != nil { memes.insert(try row.memeID(at: 0)) }
    }
  }
  return (rows, memes)
}
