import Dispatch
import Eventually
import SQL
import SQLite

/// Blocks a writer, so that a test decides which transactions wait together.
struct Gate {
  private let writer: SQLiteWriter
  private let closed: DispatchSemaphore
  private let holder: Task<Void, any Error>

  /// Returns when the writer is blocked. The blocking transaction does not share its commit.
  init(_ writer: SQLiteWriter) async {
    let closed = DispatchSemaphore(value: 0)
    let (reached, reach) = AsyncStream<Void>.makeStream()
    holder = Task {
      try await writer.transaction(bytes: .max) { db in
        reach.finish()
        closed.wait()
      }
    }
    for await _ in reached {}
    (self.writer, self.closed) = (writer, closed)
  }

  /// Starts `work`, and returns when its transaction waits behind all earlier ones.
  func behind<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Task<Value, any Error> {
    let waiting = writer.waiting
    let task = Task { try await work() }
    try await eventually("the transaction waits") { writer.waiting != waiting }
    return task
  }

  /// Lets the writer continue.
  func open() async throws {
    closed.signal()
    try await holder.value
  }
}
