package import Memes
import SQLite

extension SQLiteMemes: BulkStore {
  package func count(_ filter: MemeFilter) async throws(MemeError) -> Int {
    try readers.read { db throws(MemeError) in
      try db.first(
        "SELECT count(*) \(Self.matches)", Int64.max, filter.first, filter.end
      ) { row throws(SQLiteError) in try row[0] as Int } ?? 0
    }
  }

  package func deleteBatch(
    _ filter: MemeFilter, continuing run: BulkRun?, recording entry: AuditEntry,
    _ batch: PurgeBatch
  ) async throws(MemeError) -> BulkRun {
    try await writer.write { db throws(MemeError) in
      let end: ListPosition
      if let run { end = run.end } else { end = try newest(in: db) }
      let ids = try db.all(
        Self.bulkStatement, entry.at.millisecondsSince1970, end.sequence, filter.first, filter.end,
        batch.count
      ) { row throws(SQLiteError) in try row.memeID(at: 0) }
      let number: Int64
      if let run {
        number = run.entry
        try recount(number, run.count + ids.count, in: db)
      } else {
        var entry = entry
        entry.details.count = ids.count
        number = try insertEntry(entry, in: db)
      }
      let next = BulkRun(
        entry: number, end: end, count: (run?.count ?? 0) + ids.count,
        isOver: ids.count < batch.count)
      return Written(next, changes: ids.map(MemeChange.deleted))
    }
  }

  static let bulkStatement = """
    UPDATE memes SET deleted_at = ?
    WHERE seq IN (SELECT seq \(matches) ORDER BY created_at LIMIT ?) RETURNING id
    """

  /// The memes that a filter finds, up to the newest that counts. The unary plus keeps the planner from walking them all by
  /// their number.
  static let matches = """
    FROM memes INDEXED BY memes_by_time
    WHERE deleted_at IS NULL AND +seq <= ? AND created_at >= ? AND created_at < ?
    """
}

private func newest(in db: borrowing Transaction<MemeError>) throws(MemeError) -> ListPosition {
  let sequence = try db.first("SELECT coalesce(max(seq), 0) FROM memes") {
    row throws(SQLiteError) in try row[0] as Int64
  }
  return ListPosition(sequence: sequence ?? 0)
}

extension MemeFilter {
  /// The times that are meant, the last one not among them.
  fileprivate var first: Int64 { after?.millisecondsSince1970 ?? .min }
  fileprivate var end: Int64 { before?.millisecondsSince1970 ?? .max }
}
