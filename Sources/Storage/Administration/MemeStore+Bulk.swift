package import Memes
import SQL

extension MemeStore {
  /// The number of matching memes that are not deleted.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` if there is no such author.
  package func count(_ filter: MemeFilter) async throws -> Int {
    try await readers.read { db in
      try checkAuthor(of: filter, in: db)
      return try db.value(
        "SELECT count(*) \(Self.matches(filter))", Int64.max, filter.first, filter.end,
        filter.username) ?? 0
    }
  }

  /// Moves one batch of matching memes to the trash. On return, the deletion is durable.
  ///
  /// - Parameters:
  ///   - run: the result of the previous batch; `nil` for the first one.
  ///   - entry: written with the first batch. Each batch updates its count.
  /// - Throws: ``MemeError/invalid(field:_:)`` if there is no such author before the first batch.
  package func deleteBatch(
    _ filter: MemeFilter, continuing run: BulkRun?, recording entry: AuditEntry,
    _ batch: PurgeBatch
  ) async throws -> BulkRun {
    try await writer.write { db in
      let end: ListPosition
      if let run {
        end = run.end
      } else {
        try checkAuthor(of: filter, in: db)
        end = try newest(of: "memes", in: db)
      }
      try lockMatches(filter, upTo: end, batch, in: db)
      let deleted = try db.all(
        Self.bulkStatement(filter), end.sequence, filter.first, filter.end, filter.username,
        entry.at.millisecondsSince1970, batch.count
      ) { row in (id: try row.nextMemeID(), author: try row.nextUserID()) }
      let count = (run?.count ?? 0) + deleted.count
      let next = BulkRun(
        entry: try keep(entry, of: run, counting: count, in: db), end: end, count: count,
        isOver: deleted.count < batch.count)
      let owners = Set(deleted.compactMap(\.author))
      return Written(
        next, changes: deleted.map { .deleted($0.id) } + owners.map { .sequenced(of: $0) })
    }
  }

  /// The statement locks the memes before its triggers lock the accounts of their authors.
  private func lockMatches(
    _ filter: MemeFilter, upTo end: ListPosition, _ batch: PurgeBatch, in db: borrowing Transaction
  ) throws {
    guard db.dialect == .postgreSQL else { return }
    let matches: [Int64] = try db.column(
      "SELECT seq \(Self.matches(filter)) LIMIT ?5", end.sequence, filter.first, filter.end,
      filter.username, batch.count)
    _ = try db.lock(memes: matches)
  }

  static func bulkStatement(_ filter: MemeFilter) -> String {
    """
    UPDATE memes SET deleted_at = ?5, deleted_by_admin = TRUE
    WHERE seq IN (SELECT seq \(matches(filter)) LIMIT ?6)
    RETURNING id, (SELECT id FROM users WHERE seq = author)
    """
  }

  /// The memes that match a filter, up to the number in `?1`. The indexes contain no deleted memes, so a batch does not
  /// scan the memes that earlier batches deleted. The unary plus prevents the planner from scanning all memes by
  /// number.
  static func matches(_ filter: MemeFilter) -> String {
    let (index, author) =
      switch filter.author {
      case nil: ("memes_by_time", "?4 IS NULL")
      case .anonymous: ("memes_of_nobody", "author IS NULL AND ?4 IS NULL")
      case .person:
        (
          "memes_of_author",
          "author = (SELECT seq FROM users WHERE username = ?4) AND visibility IN (0, 1, 2)"
        )
      }
    return """
      FROM memes INDEXED BY \(index)
      WHERE deleted_at IS NULL AND +seq <= ?1 AND created_at >= ?2 AND created_at < ?3 AND \(author)
      """
  }
}

/// - Throws: ``MemeError/invalid(field:_:)`` if the filter has an author without an account.
private func checkAuthor(of filter: MemeFilter, in db: borrowing Transaction) throws {
  if let username = filter.username { _ = try account(named: username, by: "author", in: db) }
}

/// The `users.seq` of an account.
///
/// - Parameter field: the field that names it.
/// - Throws: ``MemeError/invalid(field:_:)`` if there is no such account.
func account(
  named username: String, by field: String, in db: borrowing Transaction
) throws -> Int64 {
  let found: Int64? = try db.value("SELECT seq FROM users WHERE username = ?", username)
  guard let found else {
    throw MemeError.invalid(
      field: field,
      InvalidValue(code: "unknown-user", message: "There is no account with this username."))
  }
  return found
}

/// The position of the last row of a table.
func newest(
  of table: String, in db: borrowing Transaction
) throws -> ListPosition {
  let sequence: Int64? = try db.value("SELECT coalesce(max(seq), 0) FROM \(table)")
  return ListPosition(sequence: sequence ?? 0)
}

extension MemeFilter {
  /// The time range in milliseconds since 1970. `end` is exclusive.
  fileprivate var first: Int64 { after?.millisecondsSince1970 ?? .min }
  fileprivate var end: Int64 { before?.millisecondsSince1970 ?? .max }

  /// The username of the author, if the filter has one.
  var username: String? {
    if case .person(let username) = author { username.text } else { nil }
  }
}
