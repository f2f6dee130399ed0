import Curl
import Foundation
import Synchronization

/// The thread that runs requests to a store, and its queue. The thread exists only while there are requests.
///
/// Safe to use from any thread.
final class S3Transfers: Sendable {
  /// Each has a connection of its own.
  private static let maximumRunning = 32
  static let maximumWaiting = 256
  /// How long a request may wait for its turn. If the store hangs, the client gets an answer soon.
  private static let waitingTime = Duration.seconds(2)
  /// How long the thread and its idle connections remain while there is nothing to do.
  private static let idleTime = Duration.seconds(30)

  struct Order: Sendable {
    let request: S3Request
    let bucket: S3Address
    let account: S3Credentials
    let completion: S3Transfer.Completion
    let begin = ContinuousClock.now
  }

  private struct State {
    var waiting: [Order] = []
    var isRunning = false
    var waker: CurlWaker?
  }

  private let state = Mutex(State())
  private let authorities: String?

  /// - Parameter authorities: a PEM file of certificate authorities to trust; `nil` for those of the machine.
  init(authorities: String?) { self.authorities = authorities }

  func run(
    _ request: S3Request, in bucket: S3Address, as account: S3Credentials
  ) async throws(ObjectError) -> S3Response {
    let result = await withCheckedContinuation { continuation in
      add(
        Order(request: request, bucket: bucket, account: account) {
          continuation.resume(returning: $0)
        })
    }
    return try result.get()
  }

  func runBlocking(
    _ request: S3Request, in bucket: S3Address, as account: S3Credentials
  ) throws(ObjectError) -> S3Response {
    let (isOver, result) = (DispatchSemaphore(value: 0), Outcome())
    add(
      Order(request: request, bucket: bucket, account: account) { outcome in
        result.value.withLock { $0 = outcome }
        isOver.signal()
      })
    isOver.wait()
    return try result.value.withLock(\.self).get()
  }

  private final class Outcome: Sendable {
    let value = Mutex<Result<S3Response, ObjectError>>(.failure(.unavailable("no outcome")))
  }

  private func add(_ order: Order) {
    let (isTaken, needsThread) = state.withLock { state in
      guard state.waiting.count < Self.maximumWaiting else { return (false, false) }
      state.waiting.append(order)
      state.waker?.wake()
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if !isTaken { order.completion(.failure(.unavailable("too many requests are waiting"))) }
    if needsThread { Thread.detachNewThread { self.work() } }
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
    var running: [ObjectIdentifier: S3Transfer] = [:]
    var idleSince = ContinuousClock.now
    // The completions of a failed loop.
    defer { for transfer in running.values { transfer.finished(.aborted) } }
    while true {
      let idleTime = running.isEmpty ? .now - idleSince : nil
      guard let orders = next(Self.maximumRunning - running.count, idleTime) else { return }
      for order in orders {
        guard .now - order.begin < Self.waitingTime else {
          order.completion(.failure(.unavailable("the request waited too long for its turn")))
          continue
        }
        if let transfer = start(order, on: multi) {
          running[ObjectIdentifier(transfer.handle)] = transfer
        }
      }
      try multi.perform()
      while let (handle, error) = multi.nextFinished() {
        running.removeValue(forKey: ObjectIdentifier(handle))?.finished(error)
        idleSince = .now
      }
      // Ended transfers make room for those that wait.
      let isBusy = running.count < Self.maximumRunning && state.withLock { !$0.waiting.isEmpty }
      try multi.wait(isBusy ? .zero : Self.idleTime)
    }
  }

  /// - Parameter idleTime: how long there have been no transfers; `nil` if there are some.
  /// - Returns: the next orders; `nil` if the thread should end.
  private func next(_ count: Int, _ idleTime: Duration?) -> [Order]? {
    state.withLock { state in
      if let idleTime, state.waiting.isEmpty, idleTime >= Self.idleTime {
        state = State()
        return nil
      }
      let orders = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(orders.count)
      return orders
    }
  }

  private func start(_ order: Order, on multi: CurlMulti) -> S3Transfer? {
    do throws(CurlError) {
      let transfer = try S3Transfer(order, authorities: authorities)
      try multi.add(transfer.handle)
      return transfer
    } catch {
      order.completion(.failure(ObjectError(error)))
      return nil
    }
  }

  /// Fails all waiting requests. The next request starts a new thread.
  private func fail(_ error: CurlError) {
    let orders = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    for order in orders { order.completion(.failure(ObjectError(error))) }
  }

  /// A write to a closed connection returns an error and also raises SIGPIPE, which would end a command.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
