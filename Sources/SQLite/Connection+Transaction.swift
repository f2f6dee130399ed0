import CSQLite

extension Connection {
  enum TransactionKind: String {
    /// Reads a snapshot; takes it at the first read.
    case deferred = "BEGIN DEFERRED"
    /// Takes the write lock at once.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it or the commit throws.
  // Swift 6.3.1 crashes where it optimizes and inlines this.
  @inline(never)
  func transaction<Value, Failure: SQLiteFailure>(
    _ kind: TransactionKind,
    _ body: (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try named(Failure.self) { () throws(SQLiteError) in try begin(kind) }
    do throws(Failure) {
      let value = try body(Transaction(self))
      try named(Failure.self) { () throws(SQLiteError) in try commit() }
      return value
    } catch {
      undo()
      throw error
    }
  }

  /// Runs `first`, and whoever `next` brings, in one transaction with one commit, and answers them.
  ///
  /// Each but the first has a savepoint: who throws takes back nothing of the others'. Nobody is answered before the commit,
  /// who threw neither, for what it saw was the others' work too.
  ///
  /// - Parameters:
  ///   - isCopied: whether a ``DatabaseCopy`` of this connection is under way. Taking back a transaction would make it begin anew, which
  ///     somebody whose transactions fail could do for ever; taking back to a savepoint does not, so the first has one too.
  ///   - next: asked again and again for one more, until there is none to share the commit.
  /// - Returns: those that shared a transaction which was lost, and have no answer. Each is to be run again by itself, for it
  ///   may have been the work of another that found no room. Empty as a rule.
  func commit(
    _ first: any Waiting, isCopied: Bool = false, sharedWith next: () -> (any Waiting)?
  ) -> [any Waiting] {
    do throws(SQLiteError) { try begin(.immediate) } catch {
      first.answer(failure: error)
      return []
    }
    var (group, succeeded) = ([first], 0)
    if isCopied {
      do throws(SQLiteError) { succeeded = try runNested(first) ? 1 : 0 } catch {
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
    do throws(SQLiteError) {
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

  /// - Returns: whether it succeeded. If not, it left nothing behind.
  /// - Throws: where the whole transaction is lost. SQLite ends one by itself where it finds no room, no memory, or an
  ///   error of the disk, and then knows no savepoint any more.
  private func runNested(_ waiting: any Waiting) throws(SQLiteError) -> Bool {
    // Without one around it, releasing the savepoint would be a commit.
    guard isInTransaction else { throw SQLiteError(.misuse, "The transaction has ended.") }
    try control("SAVEPOINT one_of_many")
    let succeeded = waiting.run(in: self)
    if !succeeded {
      noteFullDisk()
      try control("ROLLBACK TO one_of_many")
    }
    try control("RELEASE one_of_many")
    return succeeded
  }

  private func begin(_ kind: TransactionKind) throws(SQLiteError) {
    // Where rolling back failed too (a disk that answers again only now), this is the next chance.
    try rollBack()
    ranOutOfDisk = false
    try control(kind.rawValue)
  }

  private func commit(transactions: Int = 1) throws(SQLiteError) {
    guard let onCommit else { return try control("COMMIT") }
    let began = ContinuousClock.now
    try control("COMMIT")
    onCommit(.now - began, transactions)
  }

  /// Takes back what was begun and has just failed.
  private func undo() {
    noteFullDisk()
    try? rollBack()
  }

  private func noteFullDisk() {
    if sqlite3_errcode(handle) == SQLITE_FULL { ranOutOfDisk = true }
  }

  /// Ends an open transaction. Some failures (a full disk among them) have ended it already.
  private func rollBack() throws(SQLiteError) {
    if isInTransaction { try control("ROLLBACK") }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func control(_ sql: String) throws(SQLiteError) {
    try withStatement(sql, []) { statement throws(SQLiteError) in _ = try statement.step() }
  }
}
