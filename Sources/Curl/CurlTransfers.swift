import Foundation
import Synchronization

/// The thread that runs transfers, and its queue. The thread exists only while there are transfers. Connections are
/// reused.
///
/// Safe to use from any thread.
package final class CurlTransfers: Sendable {
  package struct Limits: Sendable {
    /// Each running transfer has a connection of its own.
    package let running: Int
    package let waiting: Int
    /// How long a transfer may wait for its turn.
    package let waitingTime: Duration

    package init(running: Int, waiting: Int, waitingTime: Duration) {
      (self.running, self.waiting, self.waitingTime) = (running, waiting, waitingTime)
    }
  }

  /// Why a transfer did not begin.
  package enum Refusal: Sendable {
    case tooMany, tooLate
    case failed(CurlError)

    package var text: String {
      switch self {
      case .tooMany: "too many requests are waiting"
      case .tooLate: "the request waited too long for its turn"
      case .failed(let error): error.text
      }
    }
  }

  private struct Order: Sendable {
    let number: Int
    let start: @Sendable () throws(CurlError) -> any CurlTransfer
    let refuse: @Sendable (Refusal) -> Void
    let begin = ContinuousClock.now
  }

  private struct State {
    /// The number of transfers so far.
    var count = 0
    var waiting: [Order] = []
    /// The numbers that ``cancel(_:)`` did not find among the waiting orders. The thread takes them.
    var canceled: Set<Int> = []
    var isRunning = false
    var waker: CurlWaker?
  }

  /// How long the thread and its idle connections remain while there is nothing to do.
  private static let idleTime = Duration.seconds(30)

  private let state = Mutex(State())
  private let limits: Limits

  package init(_ limits: Limits) { self.limits = limits }

  /// Queues a transfer, and returns at once.
  ///
  /// - Parameters:
  ///   - start: makes the transfer, on the thread of the transfers. Its ``CurlTransfer/finished(_:)`` is called there.
  ///   - refuse: called instead if the transfer does not begin.
  /// - Returns: a number for ``cancel(_:)``.
  @discardableResult
  package func add(
    _ start: @escaping @Sendable () throws(CurlError) -> any CurlTransfer,
    orElse refuse: @escaping @Sendable (Refusal) -> Void
  ) -> Int {
    let (number, isTaken, needsThread) = state.withLock { state in
      state.count += 1
      guard state.waiting.count < limits.waiting else { return (state.count, false, false) }
      state.waiting.append(Order(number: state.count, start: start, refuse: refuse))
      state.waker?.wake()
      defer { state.isRunning = true }
      return (state.count, true, !state.isRunning)
    }
    if !isTaken { refuse(.tooMany) }
    if needsThread { Thread.detachNewThread { self.work() } }
    return number
  }

  /// Ends a transfer with ``CurlError/aborted``, whether it waits or runs. Has no effect if it has ended.
  ///
  /// The refusal of one that waits is called here.
  package func cancel(_ number: Int) {
    let order = state.withLock { state -> Order? in
      if let index = state.waiting.firstIndex(where: { $0.number == number }) {
        return state.waiting.remove(at: index)
      }
      guard state.isRunning else { return nil }
      state.canceled.insert(number)
      state.waker?.wake()
      return nil
    }
    order?.refuse(.failed(.aborted))
  }

  private func work() {
    Self.blockBrokenPipes()
    do throws(CurlError) {
      let multi = try CurlMulti()
      state.withLock { $0.waker = multi.waker }
      try work(on: multi)
    } catch { fail(error) }
  }

  private func work(on multi: CurlMulti) throws(CurlError) {
    var running: [ObjectIdentifier: (number: Int, transfer: any CurlTransfer)] = [:]
    var idleSince = ContinuousClock.now
    // The completions of a failed loop.
    defer { for one in running.values { one.transfer.finished(.aborted) } }
    while true {
      let idleTime = running.isEmpty ? .now - idleSince : nil
      guard let (orders, canceled) = next(limits.running - running.count, idleTime) else { return }
      for order in orders {
        if let transfer = start(order, on: multi) {
          running[ObjectIdentifier(transfer.handle)] = (order.number, transfer)
        }
      }
      for (key, one) in running where canceled.contains(one.number) {
        running[key] = nil
        multi.remove(one.transfer.handle)
        one.transfer.finished(.aborted)
        idleSince = .now
      }
      try multi.perform()
      while let (handle, error) = multi.nextFinished() {
        running.removeValue(forKey: ObjectIdentifier(handle))?.transfer.finished(error)
        idleSince = .now
      }
      // Ended transfers make room for those that wait.
      let isBusy = running.count < limits.running && state.withLock { !$0.waiting.isEmpty }
      try multi.wait(isBusy ? .zero : Self.idleTime)
    }
  }

  /// - Parameter idleTime: how long there have been no transfers; `nil` if there are some.
  /// - Returns: the next orders, and what was canceled; `nil` if the thread should end.
  private func next(
    _ count: Int, _ idleTime: Duration?
  ) -> (orders: [Order], canceled: Set<Int>)? {
    state.withLock { state in
      if let idleTime, state.waiting.isEmpty, idleTime >= Self.idleTime {
        state = State(count: state.count)
        return nil
      }
      let orders = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(orders.count)
      defer { state.canceled = [] }
      return (orders, state.canceled)
    }
  }

  private func start(_ order: Order, on multi: CurlMulti) -> (any CurlTransfer)? {
    guard .now - order.begin < limits.waitingTime else {
      order.refuse(.tooLate)
      return nil
    }
    do throws(CurlError) {
      let transfer = try order.start()
      try multi.add(transfer.handle)
      return transfer
    } catch {
      order.refuse(.failed(error))
      return nil
    }
  }

  /// Fails all waiting transfers. The next one starts a new thread.
  private func fail(_ error: CurlError) {
    let orders = state.withLock { state in
      defer { state = State(count: state.count) }
      return state.waiting
    }
    for order in orders { order.refuse(.failed(error)) }
  }

  /// A write to a closed connection returns an error and also raises SIGPIPE, which would end a command.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}

/// A transfer of ``CurlTransfers``. Used on their thread.
package protocol CurlTransfer: AnyObject {
  var handle: CurlHandle { get }

  /// - Parameter error: `nil` if the transfer was completed.
  func finished(_ error: CurlError?)
}
