import CSQLite

extension Transaction {
  /// Runs `body`. SQLite ends its queries if together they take longer than this duration.
  ///
  /// SQLite checks the time between steps and at pages of indexes, including full-text indexes.
  /// It is a few milliseconds late at most.
  ///
  /// - Throws: the error of `body`; ``SQLiteError/Code/interrupted`` if a query was ended.
  package func within<Value>(
    _ duration: Duration, _ body: () throws -> Value
  ) throws -> Value {
    let deadline = Deadline(end: .now + duration)
    sqlite3_progress_handler(
      connection.handle, Deadline.steps,
      { deadline in
        guard let deadline else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(deadline).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
    // SQLite calls the handler on this thread, within `body`.
    defer {
      sqlite3_progress_handler(connection.handle, 0, nil, nil)
      withExtendedLifetime(deadline) {}
    }
    return try body()
  }
}

private final class Deadline {
  /// The number of virtual machine instructions between two time checks. FTS5 executes a few for each
  /// page of its index, and none in between.
  static let steps: Int32 = 100

  private let end: ContinuousClock.Instant

  init(end: ContinuousClock.Instant) { self.end = end }

  var isOver: Bool { .now >= end }
}
