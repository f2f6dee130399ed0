import CSQLite

extension Transaction {
  /// Runs `body`, whose queries SQLite ends where they come to take longer than this together.
  ///
  /// It is asked between steps and at pages of indexes, full-text ones too: some milliseconds late at most.
  ///
  /// - Throws: what `body` throws; for a query that was ended that is made of ``SQLiteError/Code/interrupted``.
  package func within<Value>(
    _ duration: Duration, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let deadline = Deadline(end: .now + duration)
    sqlite3_progress_handler(
      connection.handle, Deadline.steps,
      { deadline in
        guard let deadline else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(deadline).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
    // SQLite calls it on this thread, within `body`.
    defer {
      sqlite3_progress_handler(connection.handle, 0, nil, nil)
      withExtendedLifetime(deadline) {}
    }
    return try body()
  }
}

private final class Deadline {
  /// Of SQLite's machine, between two looks at the clock. FTS5 makes a few for each page of its index, and none between.
  static let steps: Int32 = 100

  private let end: ContinuousClock.Instant

  init(end: ContinuousClock.Instant) { self.end = end }

  var isOver: Bool { .now >= end }
}
