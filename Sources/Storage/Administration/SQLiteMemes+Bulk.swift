package import Memes
import SQLite

extension SQLiteMemes: BulkStore {
  package func count(_ filter: MemeFilter) async throws(MemeError) -> Int {
    try readers.read { db throws(MemeError) in
      try db.first(
        "SELECT count(*) \(Self.matches(filter))", Int64.max, filter.first, filter.end,
        filter.username
      ) { row throws(SQLiteError) in try row[0] as Int } ?? 0
    }
  }

  package func deleteBatch(
    _ filter: MemeFilter, continuing run: BulkRun?, recording entry: AuditEntry,
    _ batch: PurgeBatch
  ) async throws(MemeError) -> BulkRun {
    try await writer.write { db throws(MemeError) in
      let end: ListPosition
      if let run { end = run.end } else { end = try newest(of: "memes", in: db) }
      let deleted = try db.all(
        Self.bulkStatement(filter), end.sequence, filter.first, filter.end, filter.username,
        entry.at.millisecondsSince1970, batch.count
      ) { row throws(SQLiteError) in (id: try row.memeID(at: 0), author: try row.userID(at: 1)) }
      let count = (run?.count ?? 0) + deleted.count
      let next = BulkRun(
        entry: try keep(entry, of: run, counting: count, in: db), end: end, count: count,
        isOver: deleted.count < batch.count)
      let owners = Set(deleted.compactMap(\.author))
      return Written(
        next, changes: deleted.map { .deleted($0.id) } + owners.map { .sequenced(of: $0) })
    }
  }

  static func bulkStatement(_ filter: MemeFilter) -> String {
    """
    UPDATE memes SET deleted_at = ?5, deleted_by_admin = 1
    WHERE seq IN (SELECT seq \(matches(filter)) LIMIT ?6)
    RETURNING id, (SELECT id FROM users WHERE seq = author)
    """
  }

  /// The memes that a filter finds, up to the newest that counts, by the index that has no others: what a batch deletes is not
  /// gone through by the next one. The unary plus keeps the planner from walking them all by their number.
  static func matches(_ filter: MemeFilter) -> String {
    let (index, maker) =
      switch filter.maker {
      case nil: ("memes_by_time", "?4 IS NULL")
      case .nobody: ("memes_of_nobody", "author IS NULL AND ?4 IS NULL")
      case .person:
        (
          "memes_of_author",
          "author = (SELECT seq FROM users WHERE username = ?4) AND visibility IN (0, 1, 2)"
        )
      }
    return """
      FROM memes INDEXED BY \(index)
      WHERE deleted_at IS NULL AND +seq <= ?1 AND created_at >= ?2 AND created_at < ?3 AND \(maker)
      """
  }
}

/// The place of the last row of a table.
func newest(
  of table: String, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> ListPosition {
  let sequence = try db.first("SELECT coalesce(max(seq), 0) FROM \(table)") {
    row throws(SQLiteError) in try row[0] as Int64
  }
  return ListPosition(sequence: sequence ?? 0)
}

extension MemeFilter {
  /// The times that are meant, the last one not among them.
  fileprivate var first: Int64 { after?.millisecondsSince1970 ?? .min }
  fileprivate var end: Int64 { before?.millisecondsSince1970 ?? .max }

  /// The author's that is meant, if one is.
  var username: String? {
    if case .person(let username) = maker { username.text } else { nil }
  }
}
