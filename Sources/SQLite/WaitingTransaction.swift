import SQL

/// A transaction whose caller waits for it, with any result and error type. Used on the writer's queue.
protocol Waiting: AnyObject, Sendable {
  /// About how many bytes the transaction writes; 0 for a few.
  var bytes: Int { get }

  /// Runs the body, and discards the result of any earlier run.
  ///
  /// - Returns: whether the body succeeded.
  func run(in connection: Connection) -> Bool

  /// Passes a durable result to the `whenDurable` closure. Does nothing if the transaction failed.
  func announce()

  /// Resumes the caller with the result of the last run. Call it once, as the last call.
  func answer()

  /// Resumes the caller with this failure instead. Call it once, as the last call.
  func answer(failure: DatabaseError)
}

final class WaitingTransaction<Value: Sendable>: Waiting {
  typealias Body = @Sendable (borrowing Transaction) throws -> Value

  let bytes: Int
  private let body: Body
  private let whenDurable: @Sendable (Value) -> Void
  private let caller: CheckedContinuation<Result<Value, any Error>, Never>
  // Accessed only on the writer's queue.
  nonisolated(unsafe) private var outcome: Result<Value, any Error>?

  init(
    bytes: Int, body: @escaping Body, whenDurable: @escaping @Sendable (Value) -> Void,
    caller: CheckedContinuation<Result<Value, any Error>, Never>
  ) {
    (self.bytes, self.body, self.whenDurable, self.caller) = (bytes, body, whenDurable, caller)
  }

  func run(in connection: Connection) -> Bool {
    do {
      outcome = .success(try body(Transaction(connection)))
      return true
    } catch {
      outcome = .failure(error)
      return false
    }
  }

  func announce() {
    if case .success(let value)? = outcome { whenDurable(value) }
  }

  func answer() {
    let none = DatabaseError(.misuse, "The transaction did not run.")
    caller.resume(returning: outcome ?? .failure(none))
  }

  func answer(failure: DatabaseError) { caller.resume(returning: .failure(failure)) }
}
