import Foundation
import Memes
import Metrics
import Synchronization

/// Starts processes that draw, one ahead of those that are wanted. They end with this, at the latest.
///
/// A process that ends by itself is started again, but not without end: each start takes about a tenth of a second.
final class HelperSupply: Sendable {
  private struct State {
    var ready: [Result<HelperProcess, HelperFailure>] = []
    /// How many wait for one.
    var waiting = 0
    var isStopping = false

    /// One ahead of those that are waited for.
    var lacksOne: Bool { !isStopping && ready.count <= waiting }
  }

  private let program: HelperProgram
  private let limit: StartLimit
  private let meter: HelperMeter
  private let state = Mutex(State())
  /// Signalled when one may be lacking, and to stop.
  private let wanted = DispatchSemaphore(value: 0)
  /// Signalled for each that is in ``State/ready``.
  private let available = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter users: how many use one at the same time.
  init(_ program: HelperProgram, users: Int, _ meter: HelperMeter) {
    (self.program, self.meter) = (program, meter)
    limit = StartLimit(users: users)
    wanted.signal()
    // The system ends the processes with the thread that has started them.
    let thread = Thread { [self] in work() }
    thread.name = "helpers"
    thread.start()
  }

  /// A process that nobody uses, and that may still be starting.
  func take(until deadline: ContinuousClock.Instant) throws(HelperFailure) -> HelperProcess {
    state.withLock { $0.waiting += 1 }
    wanted.signal()
    let isThere = waitUntilAvailable(by: deadline)
    let next = state.withLock { state in
      state.waiting -= 1
      return isThere && !state.ready.isEmpty ? state.ready.removeFirst() : nil
    }
    wanted.signal()
    guard let next else { throw .notReady }
    return try next.get()
  }

  private func waitUntilAvailable(by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = deadline - .now
      if available.wait(timeout: .now() + max(0, left / .seconds(1))) == .success { return true }
      // Dispatch waits by the clock of the day, which may have been set.
      if left <= .zero { return false }
    }
  }

  /// To be called once nobody uses a process any more.
  func stop() {
    state.withLock { $0.isStopping = true }
    stopped.signal()
    wanted.signal()
    isOver.wait()
  }

  private func work() {
    var starts: [ContinuousClock.Instant] = []
    while !state.withLock({ $0.isStopping }) {
      wanted.wait()
      while state.withLock({ $0.lacksOne }) {
        if let pause = limit.pause(after: &starts, now: .now),
          stopped.wait(timeout: .now() + pause) == .success
        {
          break
        }
        guard start() else { break }
      }
    }
    state.withLock { $0.ready = [] }
    isOver.signal()
  }

  /// - Returns: whether it was started. If not, those who wait are told, one each time.
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

/// How many processes may be started in ten seconds: all that are used, one, and five more for each user.
struct StartLimit {
  let users: Int

  /// Counts a start.
  ///
  /// - Parameter starts: those before; those that do not matter any more are forgotten.
  /// - Returns: how many seconds it has to wait; `nil` if it need not.
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
