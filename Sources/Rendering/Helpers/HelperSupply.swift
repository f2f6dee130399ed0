import Foundation
import Memes
import Metrics
import Synchronization

/// Starts processes that draw, and while pictures are drawn one ahead of those that are wanted. They end with this, at the latest.
///
/// A process that ends by itself is started again, but not without end: each start takes about a tenth of a second.
final class HelperSupply: Sendable {
  private struct State {
    var ready: [Result<HelperProcess, HelperFailure>] = []
    /// The number of workers that wait for one.
    var waiting = 0
    var isStopping = false
    /// When a process last did a job; `nil` if that is long ago.
    var lastUse: ContinuousClock.Instant?
    /// One is ready ahead of those that are waited for.
    var keepsSpare: Bool { lastUse != nil }

    var lacksOne: Bool { !isStopping && ready.count < waiting + (keepsSpare ? 1 : 0) }
  }

  let program: HelperProgram
  /// A process that is ready takes memory: without jobs for so long there is none.
  private let spareTime: Duration
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
  init(
    _ program: HelperProgram, users: Int, _ meter: HelperMeter,
    spareTime: Duration = .seconds(60)
  ) {
    (self.program, self.meter, self.spareTime) = (program, meter, spareTime)
    limit = StartLimit(users: users)
    // The system ends the processes with the thread that has started them.
    let thread = Thread { [self] in work() }
    thread.name = "helpers"
    thread.start()
  }

  /// The number of processes without a user.
  var ready: Int { state.withLock { $0.ready.count } }

  /// To be called after each job.
  func noteUse() {
    let isFirst = state.withLock { state in
      defer { state.lastUse = .now }
      return !state.keepsSpare
    }
    if isFirst { wanted.signal() }
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
      if state.withLock({ $0.keepsSpare }) {
        _ = wanted.wait(timeout: .now() + spareTime / .seconds(1))
      } else {
        wanted.wait()
      }
      endUnused()
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

  private func endUnused() {
    let unused = state.withLock { state in
      guard let lastUse = state.lastUse, .now - lastUse >= spareTime, state.waiting == 0 else {
        return [Result<HelperProcess, HelperFailure>]()
      }
      let unused = state.ready
      (state.ready, state.lastUse) = ([], nil)
      // Nobody waits for them: their signals are taken back, before anybody can.
      for _ in unused { _ = available.wait(timeout: .now()) }
      return unused
    }
    // They end here, and not while others wait for the lock.
    withExtendedLifetime(unused) {}
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
