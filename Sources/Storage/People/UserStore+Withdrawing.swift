package import Memes
import SQL

/// Deletes what an account may have any number of, before the account itself: reactions, comments, follows and memes.
/// Also the reactions and comments of others on purged memes. All in batches, because a row costs up to some
/// milliseconds, and PostgreSQL ends a statement after five seconds.
extension UserStore {
  /// Deletes some of the user's likes, favorites and comments; of an account without any, some of its follows and
  /// followers; of one without these, some of its memes. Counts are correct after each call.
  ///
  /// - Parameters:
  ///   - password: `nil` if an admin deletes the account.
  ///   - count: the maximum number of rows. Other writes wait during the call.
  ///   - authority: that of the admin; `nil` if the user deletes the account.
  ///   - entry: stored together with the deletion of the rows, also if there are none; `nil` for all batches but the
  ///     first, and if the user deletes the account.
  /// - Returns: the number of deleted rows; 0 if nothing is left, or there is no account with this password.
  /// - Throws: ``MemeError/forbidden`` if the actor is no longer an admin.
  package func withdraw(
    _ id: UserID, if password: HashedPassword?, atMost count: Int, at time: Timestamp,
    by authority: Authority? = nil, recording entry: AuditEntry? = nil
  ) async throws -> Int {
    try await writer.write { db in
      try db.lock(leaving: id, atMost: count, by: authority?.person)
      guard let person = try number(of: id, if: password, in: db) else { return Written(0) }
      if let admin = authority?.person { _ = try name(ofAdmin: admin, in: db) }
      try record(entry, in: db)
      let (reactions, memes) = try removeReactions(of: person, atMost: count, in: db)
      guard reactions == 0 else {
        return Written(reactions, changes: memes.map(MemeChange.counted))
      }
      let follows = try removeFollows(of: person, atMost: count, in: db)
      guard follows == 0 else { return Written(follows) }
      // A meme has many rows in other tables.
      let own = try removeMemes(of: person, atMost: (count + 4) / 5, at: time, in: db)
      return own > 0 ? Written(own, .many, of: id) : Written(own)
    }
  }

  /// Deletes some of the likes, favorites and comments on purged memes.
  ///
  /// - Parameter count: the maximum number of rows.
  /// - Returns: 0 if nothing is left to delete.
  package func purgeDiscardedReactions(atMost count: Int) async throws -> Int {
    try await writer.write { db in
      // Another server would find nothing to delete in the same rows, and take the meme for done.
      try db.lock(all: .discardedReactions)
      let memes: [Int64] = try db.column("SELECT meme FROM discarded_memes LIMIT ?", count)
      var removed = 0
      for meme in memes where removed < count {
        for table in reactionTables where removed < count {
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

  /// Returns the ID of the meme for each row; NULL if the meme has been purged.
  static func withdrawing(_ table: String) -> String {
    """
    DELETE FROM \(table)
    WHERE seq IN (SELECT seq FROM \(table) WHERE user = ? ORDER BY meme, seq LIMIT ?)
    RETURNING (SELECT memes.id FROM memes WHERE memes.seq = \(table).meme)
    """
  }
}

extension UserStore {
  /// - Parameter side: the column in which the user is.
  static func unfollowing(_ side: String) -> String {
    """
    DELETE FROM follows
    WHERE seq IN (SELECT seq FROM follows WHERE \(side) = ? ORDER BY seq LIMIT ?)
    """
  }
}

let reactionTables = ["likes", "favorites", "comments"]

/// Deletes some of a person's reactions and comments.
///
/// - Returns: the number of deleted rows, and the memes whose counts changed.
func removeReactions(
  of person: Int64, atMost count: Int, in db: borrowing Transaction
) throws -> (rows: Int, memes: Set<MemeID>) {
  var rows = 0
  var memes: Set<MemeID> = []
  for table in reactionTables where rows < count {
    if table == "comments" {
      // The stored responses contain the texts of the comments.
      try db.run(
        """
        DELETE FROM retries WHERE made IN (
          SELECT id FROM comments WHERE user = ? ORDER BY meme, seq LIMIT ?)
        """, person, count - rows)
    }
    _ = try db.all(UserStore.withdrawing(table), person, count - rows) {
      row in
      rows += 1
      if try !row.isNextNull { memes.insert(try row.nextMemeID()) }
    }
  }
  return (rows, memes)
}
