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
    /// The number of workers that wait for one.
    var waiting = 0
    var isStopping = false
    /// Whether one is ready ahead of those that are waited for.
    var keepsSpare = false

    var lacksOne: Bool { !isStopping && ready.count < waiting + (keepsSpare ? 1 : 0) }
  }

  let program: HelperProgram
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
    // The system ends the processes with the thread that has started them.
    let thread = Thread { [self] in work() }
    thread.name = "helpers"
    thread.start()
  }

  /// A process without a user, which may still be starting.
  ///
  /// - Parameter ticket: says how long it may take, which may become less.
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
      // Dispatch waits by the clock of the day, which may have been set: what it says of time does not count.
      if left <= .zero { return false }
    }
  }

  /// To be called once no process is used.
  func stop() {
    state.withLock { $0.isStopping = true }
    stopped.signal()
    wanted.signal()
    isOver.wait()
  }

  private func work() {
    var starts: [ContinuousClock.Instant] = []
    while !state.withLock({ $0.isStopping }) {
      if !state.withLock({ $0.keepsSpare }) {
        // The start of the server waits for the first ones: the spare one comes after that.
        let isQuiet = wanted.wait(timeout: .now() + 2) == .timedOut
        state.withLock { $0.keepsSpare = isQuiet }
      } else {
        wanted.wait()
      }
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
