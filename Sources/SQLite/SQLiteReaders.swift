import CSQLite
import Dispatch
package import SQL
import Synchronization

/// Read-only connections for any thread. They never write and never checkpoint.
package final class SQLiteReaders: Readers {
  /// A connection in transfer between the pool and the one thread that uses it.
  // A thread creates it, or removes it from the pool under the lock. Only this thread uses it until it puts it back.
  private struct Reader: @unchecked Sendable { let connection: Connection }

  private let path: String
  private let idle = Mutex<[Reader]>([])
  private let free: DispatchSemaphore
  private let long = LongReads()
  private let failure: FailureMap

  /// - Parameter limit: the maximum number of connections, and so of concurrent reads.
  init(path: String, limit: Int, failure: @escaping FailureMap) {
    (self.path, self.failure) = (path, failure)
    free = DispatchSemaphore(value: limit)
  }

  /// Runs `body` on the calling thread, in a transaction that sees one state of the database.
  ///
  /// Keep it short: an open read prevents the WAL from starting over. If all connections are in use, this blocks until
  /// one is free. `body` must not read through the same `Readers` again, because that could deadlock.
  package func blockingRead<Value>(
    _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    free.wait()
    defer { free.signal() }
    do {
      let reader = try take()
      defer { idle.withLock { $0.append(reader) } }
      return try reader.connection.transaction(.deferred, body)
    } catch let error as DatabaseError {
      throw failure(error)
    }
  }

  /// A read takes some microseconds and never waits for a network, so it runs on the calling thread.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value { try blockingRead(body) }

  /// Runs `body` in the same way, on a thread for reads that may take milliseconds or
  /// more, when the caller's turn comes.
  ///
  /// - Parameter caller: has at most one running read; `nil` for the server itself.
  /// - Throws: also ``DatabaseError/Code/busy`` if too many reads wait or the task is canceled.
  package func readLong<Value: Sendable>(
    for caller: String?,
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    let outcome = await long.run(for: caller) { [self] in
      Result { try blockingRead(body) }
    }
    guard let outcome else {
      throw failure(DatabaseError(.busy, "too many long reads are waiting"))
    }
    return try outcome.get()
  }

  private func take() throws(DatabaseError) -> Reader {
    if let reader = idle.withLock({ $0.popLast() }) { return reader }
    return Reader(connection: try Self.open(path))
  }

  /// Closes the connections that are not in use.
  package func close() {
    idle.withLock { $0.removeAll() }
  }

  static func open(_ path: String) throws(DatabaseError) -> Connection {
    let connection = try Connection(path: path, .reading(path), busyMilliseconds: 5000)
    sqlite3_db_config_switch(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    // No mmap: it would halve the time to read a large blob, but turn a disk error into SIGBUS.
    try connection.execute(
      """
      PRAGMA query_only = ON;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA mmap_size = 0;
      """)
    return connection
  }
}
