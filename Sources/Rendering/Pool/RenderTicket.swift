import Imaging
import Memes
import Synchronization

/// One order's right to be drawn: until its deadline, unless nobody waits for it any more.
final class RenderTicket: Sendable {
  let deadline: ContinuousClock.Instant
  private let isCancelled = Atomic(false)

  init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Called between the steps of a render, and before the first.
  func check() throws(MemeError) {
    if isCancelled.load(ordering: .relaxed) { throw .rendering(CancellationError()) }
    if ContinuousClock.now >= deadline { throw .renderTimeout }
  }

  /// One step, unless time is up.
  func step<Value>(_ body: () throws(ImagingError) -> Value) throws(MemeError) -> Value {
    try check()
    do throws(ImagingError) { return try body() } catch { throw MemeError(error) }
  }
}
