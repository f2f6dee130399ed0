import CSQLite
import SQL

extension Connection {
  enum TransactionKind: String {
    /// Reads a snapshot, which the first read takes.
    case deferred = "BEGIN DEFERRED"
    /// Takes the write lock at once.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction. Commits if `body` returns; rolls back if `body` or the commit throws.
  func transaction<Value>(
    _ kind: TransactionKind,
    _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    try begin(kind)
    do {
      let value = try body(Transaction(self))
      try commit()
      return value
    } catch {
      undo()
      throw error
    }
  }

  /// Runs `first` and the transactions that `next` returns in one transaction with
  /// one commit. Then resumes their callers.
  ///
  /// Every transaction but the first has a savepoint, so a failure rolls back only its own writes. No caller
  /// resumes before the commit. This includes the caller of a failed transaction, because that transaction has
  /// read uncommitted writes of the others.
  ///
  /// - Parameters:
  ///   - isCopied: whether a ``DatabaseCopy`` of this connection is in progress. A rollback of the whole transaction
  ///     would restart the copy, so a client whose transactions fail could restart it forever. A rollback to a
  ///     savepoint does not, so the first transaction then has a savepoint too.
  ///   - next: called repeatedly for one more transaction, until it returns `nil`.
  /// - Returns: the transactions of a group that was lost; usually empty. They have no result yet. Run each of them
  ///   again on its own, because another one may have filled the disk.
  func commit(
    _ first: any Waiting, isCopied: Bool = false, sharedWith next: () -> (any Waiting)?
  ) -> [any Waiting] {
    do throws(DatabaseError) { try begin(.immediate) } catch {
      first.answer(failure: error)
      return []
    }
    var (group, succeeded) = ([first], 0)
    if isCopied {
      do throws(DatabaseError) { succeeded = try runNested(first) ? 1 : 0 } catch {
        undo()
        return commit(first) { nil }
      }
    } else {
      guard first.run(in: self) else {
        undo()
        first.answer()
        return []
      }
      succeeded = 1
    }
    do throws(DatabaseError) {
      while let next = next() {
        group.append(next)
        if try runNested(next) { succeeded += 1 }
      }
      try commit(transactions: succeeded)
    } catch {
      undo()
      guard group.count == 1 else { return group }
      first.answer(failure: error)
      return []
    }
    group.forEach { $0.announce() }
    group.forEach { $0.answer() }
    return []
  }

  /// - Returns: whether the transaction succeeded. If not, its writes are rolled back.
  /// - Throws: an error if the whole group is lost. SQLite rolls back a transaction by itself if the disk is full,
  ///   memory is exhausted, or an I/O error occurs. No savepoint exists after that.
  private func runNested(_ waiting: any Waiting) throws(DatabaseError) -> Bool {
    // Outside a transaction, releasing the savepoint would commit.
    guard isInTransaction else { throw DatabaseError(.misuse, "The transaction has ended.") }
    try control("SAVEPOINT one_of_many")
    let succeeded = waiting.run(in: self)
    if !succeeded {
      noteFullDisk()
      try control("ROLLBACK TO one_of_many")
    }
    try control("RELEASE one_of_many")
    return succeeded
  }

  private func begin(_ kind: TransactionKind) throws(DatabaseError) {
    // If the last rollback failed too (on a disk that works again only now), this retries it.
    try rollBack()
    ranOutOfDisk = false
    try control(kind.rawValue)
  }

  private func commit(transactions: Int = 1) throws(DatabaseError) {
    guard let onCommit else { return try control("COMMIT") }
    let began = ContinuousClock.now
    try control("COMMIT")
    onCommit(.now - began, transactions)
  }

  /// Rolls back the transaction that has just failed.
  private func undo() {
    noteFullDisk()
    try? rollBack()
  }

  private func noteFullDisk() {
    if sqlite3_errcode(handle) == SQLITE_FULL { ranOutOfDisk = true }
  }

  /// Ends an open transaction. Some failures, such as a full disk, have already ended it.
  private func rollBack() throws(DatabaseError) {
    if isInTransaction { try control("ROLLBACK") }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func control(_ sql: String) throws(DatabaseError) {
    let statement = try statement(sql, [])
    defer { keep(statement) }
    _ = try statement.step()
  }
}
