import CSQLite
import Dispatch
import Metrics
import Synchronization

/// The one connection of a process that writes and checkpoints, on a queue of its own.
///
/// SQLite up to 3.51.2 can lose committed writes where two connections write or checkpoint a WAL database at the
/// same moment (https://sqlite.org/wal.html, "the WAL-reset bug"), so there is never a second one, but for a guest's: that never
/// checkpoints, and a ``CheckpointGate`` keeps its writes and the owner's checkpoints apart.
package final class Writer: Sendable {
  enum Role {
    /// Makes, migrates and checkpoints the file. No more than one at a time, which a lock beside the file has to see to.
    case primary
    /// Writes a little, whether there is an owner or not.
    case secondary
  }

  /// What the writer counts.
  package let meter = WriterMeter()
  // Used on `queue` only; the initializer uses it before anybody else can, and close() as the queue's last work.
  nonisolated(unsafe) private var connection: Connection?
  // Changed by SQLite's hook inside a commit and by checkpoints: both on `queue`.
  nonisolated(unsafe) private let wal: WALState
  // Used on `queue` only.
  nonisolated(unsafe) private var copy: DatabaseCopy?
  /// Whether a checkpoint that a reader was in the way of is tried again later.
  // Used on `queue` only.
  nonisolated(unsafe) private var triesAgain = false
  private let queue = DispatchQueue(label: "sqlite.writer")
  /// What is to be done between two commits.
  private let between = Mutex<[@Sendable () -> Void]>([])
  private let line = WaitingLine()
  private let limits: CommitLimits
  private let role: Role
  private let gate: CheckpointGate

  /// Opens the file. The owner makes it where there is none, and migrates it; a guest takes it only as it ought to be.
  ///
  /// - Parameters:
  ///   - limits: how much may share a commit.
  ///   - synchronous: whether a commit waits for the disk.
  ///   - report: told of every checkpoint that fails, and of readers that last.
  init(
    path: String, as role: Role = .primary, migrator: Migrator, limits: CommitLimits,
    synchronous: Synchronous = .full, report: @escaping @Sendable (CheckpointEvent) -> Void
  ) throws(MigrationError) {
    (self.limits, self.role) = (limits, role)
    let opened = try unusable { () throws(SQLiteError) in
      try Connection(path: path, .readWrite, busyMilliseconds: Connection.busyMilliseconds)
    }
    if role == .secondary { try migrator.verify(opened) }
    let isNew = try migrator.inspect(opened)
    wal = try unusable { [meter] () throws(SQLiteError) in
      try Self.configure(opened, isNew: isNew, synchronous)
      return try WALState(of: opened, at: path, meter: meter, report: report)
    }
    gate = try unusable { () throws(SQLiteError) in try CheckpointGate(besides: path) }
    switch role {
    case .primary: try migrator.migrate(opened)
    // To close the last connection would checkpoint.
    case .secondary: sqlite3_db_config_switch(opened.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    // What savepoints keep of pages as they were, deleted pictures among them, is not to go to a file in /tmp.
    try unusable { () throws(SQLiteError) in try opened.execute("PRAGMA temp_store = MEMORY") }
    opened.onCommit = meter.committed
    connection = opened
  }

  private static func configure(
    _ connection: Connection, isNew: Bool, _ synchronous: Synchronous
  ) throws(SQLiteError) {
    // Memes of 2 MB took a quarter less time with pages of 16 KiB than of 8, and with 32 hardly less than that.
    if isNew { try connection.execute("PRAGMA page_size = 16384") }
    // Pages that outgrow the cache within a transaction are written twice: 16 MiB hold most memes.
    // A log that grew under long reads shrinks again. What people delete is overwritten in the file. Apple's fsync leaves it to
    // the drive when to write; fullfsync does not, and is nothing elsewhere.
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

  /// Runs `body` in a transaction, after those that were asked for before. When this returns, what it wrote is durable.
  ///
  /// The caller is suspended meanwhile; cancelling it does not undo a write. Transactions that wait together share a commit,
  /// and the wait for the disk. A checkpoint that has become due follows when the callers have gone on.
  ///
  /// - Parameters:
  ///   - bytes: about how many `body` writes, where they are many. Those who write much share with few.
  ///   - whenDurable: gets what `body` returned once that is durable, before any caller does whose transaction shared the
  ///     commit, and before a later transaction begins; in the order of asking. Runs on the writer's queue, so it is short;
  ///     not called where anything was thrown.
  ///   - body: runs on the writer's queue. It is synchronous: nothing can be awaited while the lock is held. It sees what those
  ///     before it wrote. It may run more than once, when all that it wrote is rolled back, so it leaves nothing else behind.
  /// - Throws: what `body` throws, after rolling back; else what SQLite says, `.busy` where another process has the lock.
  @discardableResult
  package func transaction<Value: Sendable, Failure: SQLiteFailure>(
    bytes: Int = 0, whenDurable: @escaping @Sendable (Value) -> Void = { _ in },
    _ body: @escaping @Sendable (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome = await withCheckedContinuation { caller in
      join(WaitingTransaction(bytes: bytes, body: body, whenDurable: whenDurable, caller: caller))
    }
    return try outcome.get()
  }

  /// How many transactions wait that have not begun.
  package var waiting: Int { line.count }

  private func join(_ waiting: any Waiting) {
    switch line.join(waiting) {
    case .waits: break
    case .needsService: queue.async { self.serve() }
    case .isRefused: waiting.answer(failure: Self.closed)
    }
  }

  /// Serves the line until nobody waits.
  private func serve() {
    while let first = line.nextOrEnd() {
      var room = CommitRoom(limits, first: first)
      let lost = commit(first) { line.next { room.admit($0) } }
      // What was lost together is tried again one by one, so that each has an answer of its own.
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
    return lost
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

  private static let closed = SQLiteError(.misuse, "The database is closed.")

  /// Closes the connection once all transactions that were asked for are done. Later ones are refused.
  ///
  /// Where no reader is open any more, this empties and removes the WAL.
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

extension Writer {
  func beginCopy(to path: String) async throws(SQLiteError) {
    try await betweenCommits { [self] connection throws(SQLiteError) in
      guard role == .primary else { throw SQLiteError(.misuse, "A secondary writer makes no copy.") }
      guard copy == nil else { throw SQLiteError(.busy, "Another copy is being made.") }
      copy = try DatabaseCopy(of: connection, to: path)
    }
  }

  func stepCopy(bytes: Int) async throws(SQLiteError) -> DatabaseCopy.Progress {
    try await betweenCommits { [self] connection throws(SQLiteError) in
      guard let copy else { throw SQLiteError(.misuse, "There is no copy to go on with.") }
      defer { connection.releaseLargeCache() }
      return try copy.step(bytes: bytes)
    }
  }

  func endCopy() async {
    try? await betweenCommits { [self] _ in copy = nil }
  }

  /// Runs `body` on the writer's queue, as soon as no commit is under way, however many wait for one.
  private func betweenCommits<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Value
  ) async throws(SQLiteError) -> Value {
    let outcome: Result<Value, SQLiteError> = await withCheckedContinuation { caller in
      between.withLock { waiting in
        waiting.append { [self] in
          guard let connection else { return caller.resume(returning: .failure(Self.closed)) }
          do throws(SQLiteError) {
            caller.resume(returning: .success(try body(connection)))
          } catch { caller.resume(returning: .failure(error)) }
        }
      }
      queue.async { self.doWhatWaitsBetween() }
    }
    return try outcome.get()
  }
}

/// Runs `body`, whose failures are those of opening the file.
func unusable<Value>(
  _ body: () throws(SQLiteError) -> Value
) throws(MigrationError) -> Value {
  do throws(SQLiteError) { return try body() } catch { throw .unusable(error) }
}
