package import Memes
import Synchronization

/// One order's right to be drawn: until its deadline, unless nobody waits for it any more. Safe to use from any thread.
package final class RenderTicket: Sendable {
  private let last: Mutex<ContinuousClock.Instant>
  private let cancelled = Atomic(false)

  package init(deadline: ContinuousClock.Instant) { last = Mutex(deadline) }

  package var deadline: ContinuousClock.Instant { last.withLock { $0 } }
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Moves the deadline, unless it is earlier already.
  func end(by deadline: ContinuousClock.Instant) { last.withLock { $0 = min($0, deadline) } }

  /// Called between the steps of a render, and before the first.
  package func check() throws(MemeError) {
    if isCancelled { throw .rendering(CancellationError()) }
    if ContinuousClock.now >= deadline { throw .renderTimeout }
  }
}
