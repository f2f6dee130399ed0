package import Memes
import Synchronization

/// One order's right to be drawn: until its deadline, unless nobody waits for it any more. Safe to use from any thread.
package final class RenderTicket: Sendable {
  private let last: Mutex<ContinuousClock.Instant>
  private let cancelled = Atomic(false)
  private let claimed = Mutex(RenderMemory.freeBytes)
  private let ask: @Sendable (Int) throws(MemeError) -> Void

  /// - Parameter ask: returns once so much memory may be taken in all.
  package init(
    deadline: ContinuousClock.Instant,
    ask: @escaping @Sendable (Int) throws(MemeError) -> Void = { _ throws(MemeError) in }
  ) {
    last = Mutex(deadline)
    self.ask = ask
  }

  package var deadline: ContinuousClock.Instant { last.withLock { $0 } }
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Moves the deadline, unless it is earlier already.
  func end(by deadline: ContinuousClock.Instant) { last.withLock { $0 = min($0, deadline) } }

  /// Waits until the order may take so many bytes of memory, of which it may have claimed a part before.
  package func claim(_ bytes: Int) throws(MemeError) {
    try check()
    guard bytes > claimed.withLock({ $0 }) else { return }
    try ask(bytes)
    claimed.withLock { $0 = bytes }
  }

  /// The memory that the order was granted.
  package var claimedBytes: Int { claimed.withLock { $0 } }

  /// Called between the steps of a render, and before the first.
  package func check() throws(MemeError) {
    if isCancelled { throw .rendering(CancellationError()) }
    if ContinuousClock.now >= deadline { throw .renderTimeout }
  }
}
