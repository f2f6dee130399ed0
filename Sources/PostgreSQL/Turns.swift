import Dispatch
import SQL
import Synchronization

/// Lets as many transactions run at once as there are connections. Some connections are only for writes, so that reads
/// cannot hold up all of them. A transaction waits for its turn for a bounded time, and only a bounded number waits.
final class Turns: Sendable {
  private struct Turn: Sendable {
    let number: Int
    let kind: Session.Kind
    let start: @Sendable (_ isRefused: Bool) -> Void
  }

  private struct State {
    var waiting: [Turn] = []
    var (reads, writes) = (0, 0)
    var nextNumber = 0

    mutating func take(_ kind: Session.Kind, _ limits: Limits) -> Bool {
      let isFree =
        reads + writes < limits.connections
        && (kind == .write || reads < limits.connections - limits.keptForWrites)
      guard isFree else { return false }
      if kind == .read { reads += 1 } else { writes += 1 }
      return true
    }
  }

  /// How many may run, and wait.
  struct Limits: Sendable {
    let connections: Int
    /// A single connection is for both.
    var keptForWrites: Int { connections > 2 ? 2 : connections - 1 }
    var waiting = 64
    var wait = DispatchTimeInterval.seconds(2)
  }

  private let limits: Limits
  private let state = Mutex(State())
  private let threads = DispatchQueue(
    label: "postgresql", qos: .userInitiated, attributes: .concurrent)

  init(_ limits: Limits) { self.limits = limits }

  /// How many run, and wait.
  var load: (reads: Int, writes: Int, waiting: Int) {
    state.withLock { ($0.reads, $0.writes, $0.waiting.count) }
  }

  /// Runs `body` on a thread of this room.
  ///
  /// - Returns: `nil` if no connection became free in time.
  func run<Value: Sendable>(_ kind: Session.Kind, _ body: @escaping @Sendable () -> Value) async
    -> Value?
  {
    await withCheckedContinuation { caller in
      join(kind) { [self] isRefused in
        guard !isRefused else { return caller.resume(returning: nil) }
        threads.async { [self] in
          let value = body()
          end(kind)
          caller.resume(returning: value)
        }
      }
    }
  }

  /// Runs `body` on the calling thread, which blocks until then.
  func runBlocking<Value>(_ kind: Session.Kind, _ body: () throws -> Value) throws -> Value {
    let answer = Answer()
    join(kind) { answer.give($0) }
    guard !answer.isRefused() else { throw Self.refusal }
    defer { end(kind) }
    return try body()
  }

  /// Whether a turn is refused, for a thread that waits for it.
  private final class Answer: Sendable {
    private let given = DispatchSemaphore(value: 0)
    private let refused = Atomic<Bool>(false)

    func give(_ isRefused: Bool) {
      refused.store(isRefused, ordering: .releasing)
      given.signal()
    }

    func isRefused() -> Bool {
      given.wait()
      return refused.load(ordering: .acquiring)
    }
  }

  static let refusal = DatabaseError(.busy, "No connection to the database became free in time.")

  private func join(_ kind: Session.Kind, _ start: @escaping @Sendable (Bool) -> Void) {
    let place = state.withLock { state -> Place in
      if state.waiting.isEmpty || kind == .write, state.take(kind, limits) { return .runs }
      guard state.waiting.count < limits.waiting else { return .isRefused }
      state.nextNumber += 1
      state.waiting.append(Turn(number: state.nextNumber, kind: kind, start: start))
      return .waits(state.nextNumber)
    }
    switch place {
    case .runs: start(false)
    case .isRefused: start(true)
    case .waits(let number):
      threads.asyncAfter(deadline: .now() + limits.wait) { [weak self] in self?.refuse(number) }
    }
  }

  private enum Place {
    case runs, isRefused
    case waits(Int)
  }

  private func refuse(_ number: Int) {
    let late = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
    late?.start(true)
  }

  private func end(_ kind: Session.Kind) {
    let next = state.withLock { state -> Turn? in
      if kind == .read { state.reads -= 1 } else { state.writes -= 1 }
      guard let place = state.waiting.firstIndex(where: { state.take($0.kind, limits) }) else {
        return nil
      }
      return state.waiting.remove(at: place)
    }
    next?.start(false)
  }
}
