import CSQLite
import Dispatch
import Metrics

/// The one connection that writes and checkpoints, on a queue of its own.
///
/// SQLite up to 3.51.2 can lose committed writes where two connections write or checkpoint a WAL database at the
/// same moment (https://sqlite.org/wal.html, "the WAL-reset bug"), so there is never a second one.
package final class Writer: Sendable {
  /// What the writer counts.
  package let meter = WriterMeter()
  // Used on `queue` only; the initializer uses it before anybody else can, and close() as the queue's last work.
  nonisolated(unsafe) private var connection: Connection?
  // Changed by SQLite's hook inside a commit and by checkpoints: both on `queue`.
  nonisolated(unsafe) private let wal: WALState
  private let queue = DispatchQueue(label: "sqlite.writer")

  /// Opens the file, makes it where there is none, and migrates it.
  ///
  /// - Parameter report: told of every checkpoint that fails.
  init(
    path: String, migrator: Migrator, report: @escaping @Sendable (SQLiteError) -> Void
  ) throws(MigrationError) {
    let opened = try unusable { () throws(SQLiteError) in
      try Connection(path: path, .readWrite, busyMilliseconds: 5000)
    }
    let isNew = try migrator.inspect(opened)
    wal = try unusable { () throws(SQLiteError) in
      try Self.configure(opened, isNew: isNew)
      return try WALState(of: opened, report: report)
    }
    try migrator.migrate(opened)
    opened.onCommit = meter.commitSeconds.observe
    connection = opened
  }

  private static func configure(_ connection: Connection, isNew: Bool) throws(SQLiteError) {
    // Memes of 2 MB took a quarter less time with pages of 16 KiB than of 8, and with 32 hardly less than that.
    if isNew { try connection.execute("PRAGMA page_size = 16384") }
    // Pages that outgrow the cache within a transaction are written twice: 16 MiB hold most memes.
    // A log that grew under long reads shrinks again. What people delete is overwritten in the file.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = \(WALState.checkpointBytes);
      PRAGMA cache_size = -16384;
      PRAGMA secure_delete = ON;
      PRAGMA mmap_size = 0;
      """)
  }

  /// Runs `body` in a transaction, after those that were asked for before. When this returns, what it wrote is durable.
  ///
  /// The caller is suspended meanwhile; cancelling it does not undo a write. A checkpoint that has become due follows
  /// when the caller has gone on.
  ///
  /// - Parameters:
  ///   - whenDurable: gets what `body` returned once that is durable, before the caller does and before a later
  ///     transaction begins. Runs on the writer's queue, so it is short; not called where anything was thrown.
  ///   - body: runs on the writer's queue. It is synchronous: nothing can be awaited while the lock is held.
  /// - Throws: what `body` throws, after rolling back; else what SQLite says, `.busy` where another process has the lock.
  @discardableResult
  package func transaction<Value: Sendable, Failure: SQLiteFailure>(
    whenDurable: @escaping @Sendable (Value) -> Void = { _ in },
    _ body: @escaping @Sendable (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome = await withCheckedContinuation { continuation in
      queue.async {
        let outcome = self.perform(body)
        if case .success(let value) = outcome { whenDurable(value) }
        continuation.resume(returning: outcome)
        if let connection = self.connection {
          connection.releaseLargeCache()
          self.wal.checkpointWhereDue(connection, timing: self.meter.checkpointSeconds)
        }
      }
    }
    return try outcome.get()
  }

  private func perform<Value, Failure: SQLiteFailure>(
    _ body: (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    guard let connection else {
      return .failure(Failure(SQLiteError(.misuse, "The database is closed.")))
    }
    do throws(Failure) {
      return .success(try connection.transaction(.immediate, body))
    } catch {
      return .failure(error)
    }
  }

  /// Closes the connection once all transactions that were asked for are done. Later ones are refused.
  ///
  /// Where no reader is open any more, this empties and removes the WAL.
  package func close() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.connection = nil
        continuation.resume()
      }
    }
  }
}

private func unusable<Value>(
  _ body: () throws(SQLiteError) -> Value
) throws(MigrationError) -> Value {
  do throws(SQLiteError) { return try body() } catch { throw .unusable(error) }
}
