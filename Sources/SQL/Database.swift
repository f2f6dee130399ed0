/// An open database of any engine, as the stores use it.
package protocol Database: Sendable {
  associatedtype DatabaseReaders: Readers
  associatedtype DatabaseWriter: Writer

  var readers: DatabaseReaders { get }
  var writer: DatabaseWriter { get }
}

/// The read-only connections of a database.
package protocol Readers: Sendable {
  /// Runs `body` in a transaction that sees one state of the database.
  ///
  /// Keep it short. `body` must not read through the same `Readers` again, because that could deadlock.
  ///
  /// - Parameter body: may run again, on a new connection, so it must have no other side effects.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value

  /// Does the same on the calling thread, which blocks until then. For threads that may wait.
  func blockingRead<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value

  /// Runs `body` in the same way, on a thread for reads that may take milliseconds or
  /// more, when the caller's turn comes.
  ///
  /// - Parameter caller: has at most one running read; `nil` for the server itself.
  /// - Throws: also ``DatabaseError/Code/busy`` if too many reads wait or the task is canceled.
  func readLong<Value: Sendable>(
    for caller: String?, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value
}

/// The transactions of a database that write.
package protocol Writer: Sendable {
  /// Runs `body` in a transaction. When this returns, the writes of `body` are durable.
  ///
  /// The caller is suspended until then; canceling its task does not undo a write.
  ///
  /// - Parameters:
  ///   - bytes: about how many bytes `body` writes, if it writes many.
  ///   - whenDurable: receives the result of `body` once it is durable, before the caller resumes. Keep it short. It
  ///     does not run if an error was thrown.
  ///   - body: synchronous, so it cannot await while it holds a lock. It may run again after a rollback of its writes,
  ///     so it must have no other side effects.
  /// - Throws: the error of `body`, after a rollback; otherwise a mapped ``DatabaseError``.
  @discardableResult
  func transaction<Value: Sendable>(
    bytes: Int, whenDurable: @escaping @Sendable (Value) -> Void,
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value
}

extension Writer {
  @discardableResult
  package func transaction<Value: Sendable>(
    bytes: Int = 0, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    try await transaction(bytes: bytes, whenDurable: { _ in }, body)
  }
}
