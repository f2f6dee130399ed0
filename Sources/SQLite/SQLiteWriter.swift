import CSQLite
import Dispatch
import Metrics
package import SQL
import Synchronization

/// The only connection of a process that writes and checkpoints, on its own queue.
///
/// SQLite up to 3.51.2 can lose committed writes if two connections write or checkpoint a WAL database at the
/// same moment (https://sqlite.org/wal.html, "the WAL-reset bug"). So there is only one such connection,
/// except for secondary writers. A secondary writer never checkpoints, and a ``CheckpointGate`` separates its
/// writes from the primary's checkpoints.
package final class SQLiteWriter: Writer {
  enum Role {
    /// Creates, migrates and checkpoints the file. Only one primary may exist at a time; the caller must
    /// ensure this with a lock next to the file.
    case primary
    /// Writes a little, whether or not a primary exists.
    case secondary
  }

  /// The writer's metrics.
  package let meter = WriterMeter()
  // Accessed only on `queue`, except in the initializer, before any other code can use the writer.
  nonisolated(unsafe) private var connection: Connection?
  // Accessed only on `queue`, by checkpoints and by SQLite's hook inside a commit. Migrations also run the hook, but in
  // the initializer, before any other code can use the writer.
  nonisolated(unsafe) private let wal: WALState
  // Accessed only on `queue`.
  nonisolated(unsafe) private var copy: DatabaseCopy?
  /// Whether a retry of a blocked checkpoint is scheduled.
  // Accessed only on `queue`.
  nonisolated(unsafe) private var triesAgain = false
  /// Whether the WAL will be emptied.
  // Accessed only on `queue`.
  nonisolated(unsafe) private var emptiesLog = false
  private let queue = DispatchQueue(label: "sqlite.writer")
  /// The work to do between two commits.
  private let between = Mutex<[@Sendable () -> Void]>([])
  private let line = TransactionQueue()
  private let commits: CommitSettings
  private let role: Role
  private let failure: FailureMap
  private let gate: CheckpointGate

  /// Opens the file. A primary creates it if it does not exist, and migrates it. A
  /// secondary accepts only a fully migrated file.
  ///
  /// - Parameters:
  ///   - failure: maps an SQLite error to the error that transactions throw.
  ///   - report: called if checkpoints begin to fail, and for readers that block checkpoints.
  init(
    path: String, as role: Role = .primary, migrator: Migrator, commits: CommitSettings,
    failure: @escaping FailureMap,
    report: @escaping @Sendable (CheckpointEvent) -> Void
  ) throws(MigrationError) {
    (self.commits, self.role, self.failure) = (commits, role, failure)
    let opened = try unusable {
      try Connection(path: path, .readWrite, busyMilliseconds: Connection.busyMilliseconds)
    }
    if role == .secondary { try migrator.verify(opened) }
    let isNew = try migrator.inspect(opened)
    wal = try unusable { [meter] in
      try Self.configure(opened, isNew: isNew, commits.synchronous)
      return try WALState(of: opened, at: path, meter: meter, report: report)
    }
    gate = try unusable { try CheckpointGate(besides: path) }
    switch role {
    case .primary: try migrator.migrate(opened)
    // Closing the last connection would checkpoint.
    case .secondary: sqlite3_db_config_switch(opened.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    // Savepoints keep old versions of pages, including deleted pictures. These must not go to a file in /tmp.
    try unusable { try opened.execute("PRAGMA temp_store = MEMORY") }
    opened.onCommit = meter.committed
    connection = opened
    // What a crash or another process has left.
    emptyLogLater()
  }

  private static func configure(
    _ connection: Connection, isNew: Bool, _ synchronous: Synchronous
  ) throws(DatabaseError) {
    // Memes of 2 MB took a quarter less time with pages of 16 KiB than with 8 KiB. Pages of 32 KiB saved hardly more.
    if isNew { try connection.execute("PRAGMA page_size = 16384") }
    // Pages that outgrow the cache within a transaction are written twice; 16 MiB hold most memes. A WAL that grew
    // during long reads shrinks again. Deleted data is overwritten in the file. Apple's fsync leaves the time of the
    // write to the drive; fullfsync does not, and has no effect on other systems.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(synchronous.rawValue);
      PRAGMA fullfsync = ON;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = \(WALState.checkpointBytes);
      PRAGMA cache_size = -16384;
      PRAGMA secure_delete = ON;
      PRAGMA mmap_size = 0;
      """)
  }

  /// Runs `body` in a transaction, after all transactions that were requested before. When this
  /// returns, the writes of `body` are durable.
  ///
  /// The caller is suspended until then; canceling its task does not undo a write. Transactions that wait together
  /// share a commit and its wait for the disk. A checkpoint that has become due runs after the callers have resumed.
  ///
  /// - Parameters:
  ///   - bytes: about how many bytes `body` writes, if it writes many. Large
  ///     transactions share a commit with few others.
  ///   - whenDurable: receives the result of `body` once it is durable, in the order of the requests. It runs before
  ///     any caller of the same commit resumes, and before a later transaction begins. It runs on the writer's queue,
  ///     so keep it short. It does not run if an error was thrown.
  ///   - body: runs on the writer's queue. It is synchronous, so it cannot await while it holds the lock. It
  ///     sees the writes of the transactions before it. It may run again after a rollback of its writes, so it
  ///     must have no other side effects.
  /// - Throws: the error of `body`, after a rollback; otherwise an SQLite error, such as `.busy`
  ///   if another process holds the lock.
  @discardableResult
  package func transaction<Value: Sendable>(
    bytes: Int = 0, whenDurable: @escaping @Sendable (Value) -> Void = { _ in },
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    let outcome = await withCheckedContinuation { caller in
      join(WaitingTransaction(bytes: bytes, body: body, whenDurable: whenDurable, caller: caller))
    }
    do { return try outcome.get() } catch let error as DatabaseError {
      throw failure(error)
    }
  }

  /// The number of waiting transactions that have not begun.
  package var waiting: Int { line.count }

  private func join(_ waiting: any Waiting) {
    switch line.join(waiting) {
    case .waits: break
    case .needsService: queue.async { self.serve() }
    case .isRefused: waiting.answer(failure: Self.closed)
    }
  }

  /// Serves the line until no transaction waits.
  private func serve() {
    while let first = line.nextOrEnd() {
      var room = CommitRoom(commits, first: first)
      let lost = commit(first) { line.next { room.admit($0) } }
      // The transactions of a lost group run again one by one, so that each gets its own result.
      for one in lost { _ = commit(one) { nil } }
      doWhatWaitsBetween()
    }
  }

  private func doWhatWaitsBetween() {
    let waiting = between.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    waiting.forEach { $0() }
  }

  private func commit(
    _ first: any Waiting, sharedWith next: () -> (any Waiting)?
  ) -> [any Waiting] {
    guard let connection else {
      first.answer(failure: Self.closed)
      return []
    }
    guard role == .primary else {
      return gate.pass { connection.commit(first, sharedWith: next) }
    }
    let lost = connection.commit(first, isCopied: copy != nil, sharedWith: next)
    connection.releaseLargeCache()
    checkpointWhereDue()
    emptyLogLater()
    return lost
  }

  private func emptyLogLater() {
    guard role == .primary, !emptiesLog else { return }
    emptiesLog = true
    queue.asyncAfter(deadline: .now() + commits.emptiesLogAfter / .seconds(1)) { [weak self] in
      guard let self, let connection = self.connection else { return }
      self.emptiesLog = false
      if !self.wal.empty(connection, through: self.gate) { self.emptyLogLater() }
    }
  }

  private func checkpointWhereDue() {
    guard let connection, let pause = wal.checkpointWhereDue(connection, through: gate),
      !triesAgain
    else { return }
    triesAgain = true
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      self?.triesAgain = false
      self?.checkpointWhereDue()
    }
  }

  private static let closed = DatabaseError(.misuse, "The database is closed.")

  /// Closes the connection after all requested transactions are complete. Later ones are refused.
  ///
  /// If no reader is open, closing the primary empties and removes the WAL.
  package func close() async {
    line.close()
    await withCheckedContinuation { continuation in
      queue.async {
        self.copy = nil
        self.connection = nil
        continuation.resume()
      }
    }
  }
}

extension SQLiteWriter {
  func beginCopy(to path: String) async throws(DatabaseError) {
    try await betweenCommits { [self] connection in
      guard role == .primary else {
        throw DatabaseError(.misuse, "A secondary writer cannot copy the database.")
      }
      guard copy == nil else { throw DatabaseError(.busy, "Another copy is running.") }
      copy = try DatabaseCopy(of: connection, to: path)
    }
  }

  func stepCopy(bytes: Int) async throws(DatabaseError) -> DatabaseCopy.Progress {
    try await betweenCommits { [self] connection in
      guard let copy else { throw DatabaseError(.misuse, "No copy is running.") }
      defer { connection.releaseLargeCache() }
      return try copy.step(bytes: bytes)
    }
  }

  func endCopy() async {
    try? await betweenCommits { [self] _ in copy = nil }
  }

  /// Runs `body` on the writer's queue as soon as no commit is in progress, even if transactions are waiting.
  private func betweenCommits<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(DatabaseError) -> Value {
    let outcome: Result<Value, DatabaseError> = await withCheckedContinuation { caller in
      between.withLock { waiting in
        waiting.append { [self] in
          guard let connection else { return caller.resume(returning: .failure(Self.closed)) }
          caller.resume(returning: Result { try body(connection) }.mapError { DatabaseError($0) })
        }
      }
      queue.async { self.doWhatWaitsBetween() }
    }
    return try outcome.get()
  }
}

/// Runs `body`, and maps its errors to ``MigrationError/unusable(_:)``.
func unusable<Value>(
  _ body: () throws -> Value
) throws(MigrationError) -> Value {
  do { return try body() } catch { throw .unusable(DatabaseError(error)) }
}
