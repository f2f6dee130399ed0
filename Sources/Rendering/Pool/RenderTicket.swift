import Memes
import Synchronization

/// The order is large and has to wait until another large order has ended.
struct Postponed: Error {}

/// The permission to draw an order: until its deadline, or until its client has gone. Safe to use from any thread.
package final class RenderTicket: Sendable {
  private struct Claimed {
    var bytes = RenderMemory.freeBytes
    /// The cost of steps that needed no permission.
    var unpaid = 0
    /// The cost that was requested and granted.
    var paid = 0
    /// The time at which a worker first began the order.
    var began: ContinuousClock.Instant?
    /// The time spent waiting for memory and for a process.
    var waited = Duration.zero
    var waitingSince: ContinuousClock.Instant?
    var isPostponed = false
  }

  private let ordered = ContinuousClock.now
  private let last: Mutex<ContinuousClock.Instant>
  private let cancelled = Atomic(false)
  private let claimed = Mutex(Claimed())
  private let ask: @Sendable (JobRequirements) throws -> Void

  /// - Parameter ask: returns once the order may use these resources.
  package init(
    deadline: ContinuousClock.Instant,
    ask: @escaping @Sendable (JobRequirements) throws -> Void = { _ in }
  ) {
    last = Mutex(deadline)
    self.ask = ask
  }

  package var deadline: ContinuousClock.Instant { last.withLock { $0 } }
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Moves the deadline to this time, unless it is already earlier.
  func end(by deadline: ContinuousClock.Instant) { last.withLock { $0 = min($0, deadline) } }

  /// Waits until the order may use the resources that its next steps need. The memory of earlier steps is free by then.
  ///
  /// - Throws: the errors of ``check()``, and ``MemeError/throttled(_:)``.
  package func claim(_ need: JobRequirements) throws {
    try check()
    let asked = claimed.withLock { claimed -> JobRequirements? in
      let cost = claimed.unpaid + need.cost
      guard need.bytes > claimed.bytes || cost > JobRequirements.freeCost else {
        claimed.unpaid = cost
        return nil
      }
      return JobRequirements(bytes: need.bytes, cost: cost)
    }
    guard let asked else { return }
    try ask(for: asked)
    claimed.withLock { claimed in
      claimed.bytes = max(claimed.bytes, need.bytes)
      claimed.unpaid = 0
    }
  }

  /// Asks on behalf of the helper process that performs the order.
  func ask(for need: JobRequirements) throws {
    do { try ask(need) } catch {
      if case MemeError.rendering(let cause) = error, cause is Postponed { isPostponed = true }
      throw error
    }
    claimed.withLock { $0.paid += need.cost }
  }

  /// The memory granted to the order, in bytes.
  package var claimedBytes: Int { claimed.withLock { $0.bytes } }

  /// The cost of steps that needed no permission, which is not charged yet.
  package var unpaid: Int { claimed.withLock { $0.unpaid } }

  /// Adds the cost of steps in another process to ``unpaid``.
  func add(unpaid cost: Int) { claimed.withLock { $0.unpaid += cost } }

  /// Returns the unpaid and the paid cost, and resets both.
  func settle() -> (unpaid: Int, paid: Int) {
    claimed.withLock { claimed in
      defer { (claimed.unpaid, claimed.paid) = (0, 0) }
      return (claimed.unpaid, claimed.paid)
    }
  }

  /// Records that a worker has begun the order.
  func begin() { claimed.withLock { $0.began = $0.began ?? .now } }

  /// Whether the order spent at least half of the time until its deadline waiting.
  var hasMostlyWaited: Bool {
    let (claimed, deadline) = (claimed.withLock { $0 }, deadline)
    guard let began = claimed.began else { return true }
    let waiting = claimed.waitingSince.map { .now - $0 } ?? .zero
    return (began - ordered) + claimed.waited + waiting >= (deadline - ordered) / 2
  }

  /// The time for which the order occupied a worker without being drawn.
  var waited: Duration { claimed.withLock { $0.waited } }

  /// Runs `body`, and counts its duration as waiting.
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

  /// Whether the order has to be queued again.
  var isPostponed: Bool {
    get { claimed.withLock { $0.isPostponed } }
    set { claimed.withLock { $0.isPostponed = newValue } }
  }

  /// Call this before each step of a render.
  ///
  /// - Throws: ``MemeError/rendering(_:)`` with a `CancellationError`, or ``MemeError/renderTimeout``.
  package func check() throws {
    if isCancelled { throw MemeError.rendering(CancellationError()) }
    if ContinuousClock.now >= deadline { throw MemeError.renderTimeout }
  }
}
