/// A transaction that somebody has asked for and waits for, whatever it returns and throws. Used on the writer's queue.
protocol Waiting: AnyObject, Sendable {
  /// About how many bytes it writes; 0 for few.
  var bytes: Int { get }

  /// Runs its body. What an earlier run came to is forgotten.
  ///
  /// - Returns: whether it succeeded.
  func run(in connection: Connection) -> Bool

  /// Tells who is to know that what it wrote is durable. Nobody is told of what failed.
  func announce()

  /// Gives the caller what the last run came to. To be called once, as the last of all.
  func answer()

  /// Gives the caller this failure instead. To be called once, as the last of all.
  func answer(failure: SQLiteError)
}

final class WaitingTransaction<Value: Sendable, Failure: SQLiteFailure>: Waiting {
  typealias Body = @Sendable (borrowing Transaction<Failure>) throws(Failure) -> Value

  let bytes: Int
  private let body: Body
  private let whenDurable: @Sendable (Value) -> Void
  private let caller: CheckedContinuation<Result<Value, Failure>, Never>
  // Used on the writer's queue only.
  nonisolated(unsafe) private var outcome: Result<Value, Failure>?

  init(
    bytes: Int, body: @escaping Body, whenDurable: @escaping @Sendable (Value) -> Void,
    caller: CheckedContinuation<Result<Value, Failure>, Never>
  ) {
    (self.bytes, self.body, self.whenDurable, self.caller) = (bytes, body, whenDurable, caller)
  }

  // Swift 6.3.1 crashes where it optimizes and inlines such functions.
  @inline(never)
  func run(in connection: Connection) -> Bool {
    do throws(Failure) {
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
    let none = SQLiteError(.misuse, "A transaction was not run.")
    caller.resume(returning: outcome ?? .failure(Failure(none)))
  }

  func answer(failure: SQLiteError) { caller.resume(returning: .failure(Failure(failure))) }
}
