import Foundation
import Imaging
import Memes
import Metrics
import Synchronization

/// A fixed set of threads that draw, with a bounded queue before them.
///
/// Drawing blocks for tens of milliseconds, so it stays off Swift's cooperative threads; what libvips and Pango keep
/// for each thread stays small because the threads are few and remain.
package final class RenderPool: Sendable {
  /// How busy the pool is at a moment.
  package struct Load: Sendable, Equatable {
    package let workers: Int
    package let busy: Int
    package let waiting: Int
  }

  /// What the pool counts.
  package let meter = RenderMeter()
  /// What previews are drawn on.
  package let shelf: PictureShelf
  private let settings: RendererSettings
  private let state = Mutex(State())
  /// Signalled once for each order that is queued and for each worker that should end.
  private let wakeUps = DispatchSemaphore(value: 0)

  private struct State {
    var waiting: [Order] = []
    var nextNumber = 0
    var busy = 0
    var alive = 0
    var isStopping = false
    /// When an order last came out well.
    var lastDrawn: ContinuousClock.Instant?
    var stops: [CheckedContinuation<Void, Never>] = []
  }

  private struct Order {
    let number: Int
    let draw: @Sendable (RenderWorker) -> Void
    let fail: @Sendable (MemeError) -> Void
  }

  /// Starts the threads, which load their fonts at once. They run until ``stop()``.
  package init(settings: RendererSettings) {
    self.settings = settings
    shelf = PictureShelf(capacityBytes: settings.shelfBytes)
    let workers = max(1, settings.workers)
    state.withLock { $0.alive = workers }
    for number in 1...workers {
      let thread = Thread { [self] in work() }
      thread.name = "render-\(number)"
      thread.start()
    }
  }

  package var load: Load {
    state.withLock { Load(workers: settings.workers, busy: $0.busy, waiting: $0.waiting.count) }
  }

  /// Whether an order came out well within this time.
  func hasDrawn(within time: Duration) -> Bool {
    state.withLock { $0.lastDrawn.map { .now - $0 < time } ?? false }
  }

  /// Draws on one of the threads when its turn comes.
  ///
  /// - Throws: ``MemeError/overloaded`` at once where the queue is full or the pool stops;
  ///   ``MemeError/renderTimeout``, counted from this call; ``MemeError/rendering(_:)`` with a `CancellationError`
  ///   where the task is cancelled before the drawing is done; and what `draw` throws.
  func run<Value: Sendable>(
    _ draw: @escaping @Sendable (RenderWorker, RenderTicket) throws(MemeError) -> Value
  ) async throws(MemeError) -> Value {
    let timeout = Duration.seconds(settings.timeoutSeconds)
    let ticket = RenderTicket(deadline: .now + timeout)
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let outcome: Result<Value, MemeError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = RenderAnswer(continuation)
        // An order may wait behind one that is stuck: its own answer must not.
        let alarm = Task.detached { [self] in
          try await Task.sleep(until: ticket.deadline)
          _ = withdraw(number)
          answer.give(.failure(.renderTimeout))
        }
        let order = Order(
          number: number,
          draw: { [self] worker in
            let result = Result { () throws(MemeError) in
              try ticket.check()
              return try draw(worker, ticket)
            }
            if case .success = result { state.withLock { $0.lastDrawn = .now } }
            answer.give(result)
            alarm.cancel()
          },
          fail: { error in
            answer.give(.failure(error))
            alarm.cancel()
          })
        if !submit(order) {
          meter.refused.add()
          order.fail(.overloaded)
        }
      }
    } onCancel: {
      ticket.cancel()
      withdraw(number)?.fail(.rendering(CancellationError()))
    }
    if case .failure(.renderTimeout) = outcome { meter.late.add() }
    return try outcome.get()
  }

  /// Lets running orders end, refuses those that wait and all that come, and ends the threads.
  package func stop() async {
    let refused = state.withLock { state in
      defer { state.waiting = [] }
      state.isStopping = true
      return state.waiting
    }
    for order in refused { order.fail(.overloaded) }
    for _ in 0..<settings.workers { wakeUps.signal() }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.alive > 0 { state.stops.append(continuation) }
        return state.alive == 0
      }
      if isOver { continuation.resume() }
    }
  }

  private func submit(_ order: Order) -> Bool {
    let isTaken = state.withLock { state in
      let places = settings.workers + settings.queue
      guard !state.isStopping, state.busy + state.waiting.count < places else { return false }
      state.waiting.append(order)
      return true
    }
    if isTaken { wakeUps.signal() }
    return isTaken
  }

  /// Takes an order back while it waits; `nil` where it does not wait any more.
  private func withdraw(_ number: Int) -> Order? {
    state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
  }

  /// What each thread does.
  private func work() {
    let worker = RenderWorker(shelf: shelf)
    worker.warmUp()
    while next(worker) {}
    worker.end()
    let stops = state.withLock { state in
      state.alive -= 1
      defer { if state.alive == 0 { state.stops = [] } }
      return state.alive == 0 ? state.stops : []
    }
    for stop in stops { stop.resume() }
  }

  /// Waits for an order and draws it.
  ///
  /// - Returns: whether there may be more.
  private func next(_ worker: RenderWorker) -> Bool {
    if wakeUps.wait(timeout: .now() + settings.restAfterSeconds) == .timedOut {
      worker.rest(after: .seconds(settings.restAfterSeconds))
      wakeUps.wait()
    }
    let (order, isStopping) = state.withLock { state -> (Order?, Bool) in
      // A withdrawn order leaves its signal behind: then there is nothing to take.
      guard !state.isStopping, !state.waiting.isEmpty else { return (nil, state.isStopping) }
      state.busy += 1
      return (state.waiting.removeFirst(), false)
    }
    guard let order else { return !isStopping }
    order.draw(worker)
    worker.tidy()
    state.withLock { $0.busy -= 1 }
    return true
  }
}
