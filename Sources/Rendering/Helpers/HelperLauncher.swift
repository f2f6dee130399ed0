import Foundation
import Memes
import Metrics
import Synchronization

/// Starts helper processes, one ahead of demand. They end with this object at the latest.
///
/// A process that ends by itself is replaced, but at a limited rate: each start takes about a tenth of a second.
final class HelperLauncher: Sendable {
  private struct State {
    var ready: [Result<HelperProcess, HelperFailure>] = []
    /// The number of workers that wait for a process.
    var waiting = 0
    var isStopping = false
    /// Whether to have a spare process ready, beyond those that workers wait for.
    var keepsSpare = false

    var lacksOne: Bool { !isStopping && ready.count < waiting + (keepsSpare ? 1 : 0) }
  }

  let program: HelperProgram
  private let limit: StartLimit
  private let meter: HelperMeter
  private let state = Mutex(State())
  /// Signaled when a process may be needed, and to stop.
  private let wanted = DispatchSemaphore(value: 0)
  /// Signaled for each element of ``State/ready``.
  private let available = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter users: the number of workers that each use a process at the same time.
  init(_ program: HelperProgram, users: Int, _ meter: HelperMeter) {
    (self.program, self.meter) = (program, meter)
    limit = StartLimit(users: users)
    // The system ends the processes when the thread that started them ends.
    let thread = Thread { [self] in work() }
    thread.name = "helpers"
    thread.start()
  }

  /// Returns an unused process, which may still be starting.
  ///
  /// - Parameter ticket: has the deadline, which may move to an earlier time.
  func take(_ ticket: RenderTicket) throws(HelperFailure) -> HelperProcess {
    state.withLock { $0.waiting += 1 }
    wanted.signal()
    let isThere = waitUntilAvailable(ticket)
    let next = state.withLock { state in
      state.waiting -= 1
      return isThere && !state.ready.isEmpty ? state.ready.removeFirst() : nil
    }
    wanted.signal()
    guard let next else { throw .notReady }
    return try next.get()
  }

  private func waitUntilAvailable(_ ticket: RenderTicket) -> Bool {
    while true {
      let left = ticket.deadline - .now
      let wait = max(0, min(0.25, left / .seconds(1)))
      if available.wait(timeout: .now() + wait) == .success { return true }
      // Dispatch waits by the wall clock, which may have been changed, so its timeout proves nothing.
      if left <= .zero { return false }
    }
  }

  /// Call this when no process is in use any longer.
  func stop() {
    state.withLock { $0.isStopping = true }
    wanted.signal()
    isOver.wait()
  }

  private func work() {
    var starts: [ContinuousClock.Instant] = []
    while !state.withLock({ $0.isStopping }) {
      if !state.withLock({ $0.keepsSpare }) {
        // The start of the server waits for the first processes. Start the spare one after them.
        let isQuiet = wanted.wait(timeout: .now() + 2) == .timedOut
        state.withLock { $0.keepsSpare = isQuiet }
      } else {
        wanted.wait()
      }
      while state.withLock({ $0.lacksOne }) {
        if let pause = limit.pause(after: &starts, now: .now) { sleepUnlessStopping(pause) }
        guard !state.withLock({ $0.isStopping }), start() else { break }
      }
    }
    state.withLock { $0.ready = [] }
    isOver.signal()
  }

  /// Sleeps in short steps. The timeout of a semaphore would count by the wall clock, which may be set back by hours.
  private func sleepUnlessStopping(_ seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, !state.withLock({ $0.isStopping }) { usleep(50_000) }
  }

  /// Starts a process, or passes the error to a worker that waits.
  ///
  /// - Returns: `false` if the start failed and no worker waits.
  private func start() -> Bool {
    do throws(HelperFailure) {
      let helper = try HelperProcess(program)
      meter.started.add()
      state.withLock { $0.ready.append(.success(helper)) }
      available.signal()
      return true
    } catch {
      let isWaitedFor = state.withLock { state in
        guard state.ready.count < state.waiting else { return false }
        state.ready.append(.failure(error))
        return true
      }
      if isWaitedFor { available.signal() }
      return isWaitedFor
    }
  }
}

/// Limits the starts within ten seconds: one per user, one spare, and five more per user.
struct StartLimit {
  let users: Int

  /// Records a start.
  ///
  /// - Parameter starts: the earlier starts. Removes those that no longer count.
  /// - Returns: the seconds to wait before the start; `nil` for none.
  func pause(
    after starts: inout [ContinuousClock.Instant], now: ContinuousClock.Instant
  ) -> Double? {
    let window = Duration.seconds(10)
    starts.removeAll { now - $0 >= window }
    let most = users + 1 + 5 * max(1, users)
    defer { starts.append(now) }
    guard starts.count >= most else { return nil }
    return (window - (now - starts[starts.count - most])) / .seconds(1)
  }
}
