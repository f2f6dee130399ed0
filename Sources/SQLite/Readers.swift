import CSQLite
import Dispatch
import Synchronization

/// Read-only connections for any thread. They never write and never checkpoint.
package final class Readers: Sendable {
  /// A connection on its way between the pool and the one thread that uses it.
  // Whoever holds it has taken it out of the pool, under the lock.
  private struct Reader: @unchecked Sendable { let connection: Connection }

  private let path: String
  private let idle = Mutex<[Reader]>([])
  private let free: DispatchSemaphore
  private let long = LongReads()

  /// - Parameter limit: the most connections at once, and so the most reads at once.
  init(path: String, limit: Int) {
    self.path = path
    free = DispatchSemaphore(value: limit)
  }

  /// Runs `body` on the calling thread, in a transaction that sees one state of the database.
  ///
  /// Keep it short: an open read keeps the WAL from starting over. Where all connections are in use it blocks until one is
  /// free; `body` must not read through the same `Readers` again, which could wait for itself.
  package func read<Value, Failure: SQLiteFailure>(
    _ body: (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    free.wait()
    defer { free.signal() }
    let reader = try named(Failure.self) { () throws(SQLiteError) in try take() }
    defer { idle.withLock { $0.append(reader) } }
    return try reader.connection.transaction(.deferred, body)
  }

  /// The same on a thread for reads that may take milliseconds or more, when the caller's turn comes.
  ///
  /// - Parameter caller: one of whose reads runs at a time; `nil` for the server itself.
  /// - Throws: ``SQLiteError/Code/busy`` too, if too many reads wait or the task is cancelled.
  package func readLong<Value: Sendable, Failure: SQLiteFailure>(
    for caller: String?,
    _ body: @escaping @Sendable (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome = await long.run(for: caller) { [self] in
      Result { () throws(Failure) in try read(body) }
    }
    guard let outcome else {
      return try named(Failure.self) { () throws(SQLiteError) in
        throw SQLiteError(.busy, "too many long reads wait")
      }
    }
    return try outcome.get()
  }

  private func take() throws(SQLiteError) -> Reader {
    if let reader = idle.withLock({ $0.popLast() }) { return reader }
    return Reader(connection: try Self.open(path))
  }

  /// Closes the connections that are not in use.
  package func close() {
    idle.withLock { $0.removeAll() }
  }

  static func open(_ path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, .reading(path), busyMilliseconds: 5000)
    sqlite3_db_config_switch(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    // No mmap: it would halve the time of reading a large blob, but turn an error of the disk into SIGBUS.
    try connection.execute(
      """
      PRAGMA query_only = ON;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA mmap_size = 0;
      """)
    return connection
  }
}
