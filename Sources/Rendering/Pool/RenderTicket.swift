package import Memes
import Synchronization

/// A large order has to wait until another one has ended.
struct Postponed: Error {}

/// One order's right to be drawn: until its deadline, unless nobody waits for it any more. Safe to use from any thread.
package final class RenderTicket: Sendable {
  private struct Claimed {
    var bytes = RenderMemory.freeBytes
    /// The cost of steps for which nothing was asked.
    var unpaid = 0
    /// The cost that was asked for and granted.
    var paid = 0
    /// When it was first given to a worker.
    var began: ContinuousClock.Instant?
    /// For memory, and for a process.
    var waited = Duration.zero
    var waitingSince: ContinuousClock.Instant?
    var isPostponed = false
  }

  private let ordered = ContinuousClock.now
  private let last: Mutex<ContinuousClock.Instant>
  private let cancelled = Atomic(false)
  private let claimed = Mutex(Claimed())
  private let ask: @Sendable (JobNeed) throws(MemeError) -> Void

  /// - Parameter ask: returns once the order may take so much.
  package init(
    deadline: ContinuousClock.Instant,
    ask: @escaping @Sendable (JobNeed) throws(MemeError) -> Void = { _ throws(MemeError) in }
  ) {
    last = Mutex(deadline)
    self.ask = ask
  }

  package var deadline: ContinuousClock.Instant { last.withLock { $0 } }
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Moves the deadline, unless it is earlier already.
  func end(by deadline: ContinuousClock.Instant) { last.withLock { $0 = min($0, deadline) } }

  /// Waits until the order may take what its next steps need. The memory of earlier steps is free then.
  ///
  /// - Throws: also ``MemeError/throttled(_:)``.
  package func claim(_ need: JobNeed) throws(MemeError) {
    try check()
    let asked = claimed.withLock { claimed -> JobNeed? in
      let cost = claimed.unpaid + need.cost
      guard need.bytes > claimed.bytes || cost > JobNeed.freeCost else {
        claimed.unpaid = cost
        return nil
      }
      return JobNeed(bytes: need.bytes, cost: cost)
    }
    guard let asked else { return }
    try ask(for: asked)
    claimed.withLock { claimed in
      claimed.bytes = max(claimed.bytes, need.bytes)
      claimed.unpaid = 0
    }
  }

  /// Asks on behalf of the process that does the order.
  func ask(for need: JobNeed) throws(MemeError) {
    do throws(MemeError) { try ask(need) } catch {
      if case .rendering(let cause) = error, cause is Postponed { isPostponed = true }
      throw error
    }
    claimed.withLock { $0.paid += need.cost }
  }

  /// The memory that the order was granted.
  package var claimedBytes: Int { claimed.withLock { $0.bytes } }

  /// The cost of steps for which nothing was asked, not charged yet.
  package var unpaid: Int { claimed.withLock { $0.unpaid } }

  /// Adds the cost of steps in another process to ``unpaid``.
  func add(unpaid cost: Int) { claimed.withLock { $0.unpaid += cost } }

  /// Takes all of ``unpaid``, and says what was paid before.
  func settle() -> (unpaid: Int, paid: Int) {
    claimed.withLock { claimed in
      defer { (claimed.unpaid, claimed.paid) = (0, 0) }
      return (claimed.unpaid, claimed.paid)
    }
  }

  /// A worker has it.
  func begin() { claimed.withLock { $0.began = $0.began ?? .now } }

  /// Whether at least half of the time until the deadline was spent waiting.
  var hasMostlyWaited: Bool {
    let (claimed, deadline) = (claimed.withLock { $0 }, deadline)
    guard let began = claimed.began else { return true }
    let waiting = claimed.waitingSince.map { .now - $0 } ?? .zero
    return (began - ordered) + claimed.waited + waiting >= (deadline - ordered) / 2
  }

  /// The time for which the order held a worker and was not drawn.
  var waited: Duration { claimed.withLock { $0.waited } }

  /// Does what may take a while before the order can be drawn.
  func waiting<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let began = ContinuousClock.now
    claimed.withLock { $0.waitingSince = began }
    defer {
      claimed.withLock { claimed in
        claimed.waited += .now - began
        claimed.waitingSince = nil
      }
    }
    return try body()
  }

  /// Says that the order must wait again, and takes that back.
  var isPostponed: Bool {
    get { claimed.withLock { $0.isPostponed } }
    set { claimed.withLock { $0.isPostponed = newValue } }
  }

  /// Called between the steps of a render, and before the first.
  package func check() throws(MemeError) {
    if isCancelled { throw .rendering(CancellationError()) }
    if ContinuousClock.now >= deadline { throw .renderTimeout }
  }
}
