import Foundation
import Memes
import Metrics
import Synchronization

/// A fixed set of workers that draw, with a bounded queue. Each worker is a thread with a ``Drawer``.
///
/// Drawing takes tens of milliseconds, so it does not run on Swift's cooperative threads.
package final class RenderPool: Sendable {
  /// The current load of the pool.
  package struct Load: Sendable, Equatable {
    package let workers: Int
    package let busy: Int
    package let waiting: Int
  }

  /// The metrics of the pool.
  package let meter = RenderMeter()
  /// Counts the ends of the pool's helper processes; `nil` if it has none.
  package let helpers: HelperMeter?
  /// The memory budget of jobs in helper processes; `nil` if there are none.
  package let memory: RenderMemory?
  private let afterwards: @Sendable () -> Void
  private let settings: RendererSettings
  private let deadlines = OrderDeadlines()
  private let state: Mutex<State>
  /// One semaphore per worker, signaled when the worker has an order or should end.
  private let wakeUps: [DispatchSemaphore]

  fileprivate struct State {
    var schedule: RenderSchedule<Order>
    var workers: [Worker]
    var nextNumber = 0
    var alive: Int
    var isStopping = false
    var hasEnded = false
    /// The time at which an order last succeeded.
    var lastDrawn: ContinuousClock.Instant?
    var stops: [CheckedContinuation<Void, Never>] = []
  }

  /// The pool's record of a worker.
  fileprivate struct Worker {
    /// The order that the worker is running, or runs next.
    var running: Order?
    /// The pictures that it drew previews on, the latest last. The worker probably has them in its cache.
    var recent: [Digest] = []
    /// The memory of its preview cache in bytes.
    var shelfBytes = 0

    mutating func remember(_ digest: Digest) {
      recent.removeAll { $0 == digest }
      recent.append(digest)
      if recent.count > 16 { recent.removeFirst() }
    }
  }

  fileprivate struct Order {
    let number: Int
    let ticket: RenderTicket
    /// The digest of the picture that previews are drawn on.
    let shelved: Digest?
    /// - Returns: also a closure that resumes the caller. Call it once the worker is free.
    let draw: @Sendable (any Drawer) -> (JobOutcome?, tell: () -> Void)
    let fail: @Sendable (any Error) -> Void
  }

  /// Starts the workers, which load their resources at once. They run until ``stop()``.
  ///
  /// - Parameters:
  ///   - afterwards: called once all workers have ended.
  ///   - makeDrawer: called once on each worker's thread.
  package init(
    settings: RendererSettings, helpers: HelperMeter? = nil, memory: RenderMemory? = nil,
    afterwards: @escaping @Sendable () -> Void = {},
    makeDrawer: @escaping @Sendable () -> any Drawer
  ) {
    (self.settings, self.helpers, self.memory) = (settings, helpers, memory)
    self.afterwards = afterwards
    let count = settings.workers
    state = Mutex(
      State(
        schedule: RenderSchedule(workers: count, places: settings.queue),
        workers: Array(repeating: Worker(), count: count), alive: count))
    wakeUps = (0..<count).map { _ in DispatchSemaphore(value: 0) }
    for worker in 0..<count {
      let thread = Thread { [self] in work(worker, makeDrawer()) }
      thread.name = "render-\(worker + 1)"
      thread.start()
    }
  }

  package var load: Load {
    state.withLock {
      Load(workers: settings.workers, busy: $0.schedule.busy, waiting: $0.schedule.waiting)
    }
  }

  /// The memory of all preview caches in bytes.
  package var shelfBytes: Int { state.withLock { $0.workers.reduce(0) { $0 + $1.shelfBytes } } }

  /// Whether an order succeeded within this time.
  func hasDrawn(within time: Duration) -> Bool {
    state.withLock { $0.lastDrawn.map { .now - $0 < time } ?? false }
  }

  /// Runs a job when its turn comes.
  ///
  /// - Parameters:
  ///   - account: the requester, and the limit to charge.
  ///   - finish: converts the result, on the worker's thread.
  /// - Throws: ``MemeError/throttled(_:)`` if the requester has nothing left to spend.
  ///   ``MemeError/overloaded(retryAfter:)`` at once if the queue is full, the wait would be too long or the pool is
  ///   stopping, and at the deadline if the order spent most of its time waiting. ``MemeError/renderTimeout`` if the
  ///   time limit, counted from this call, has passed. ``MemeError/rendering(_:)`` with a `CancellationError` if the
  ///   task is cancelled before the job is done. Also the errors of the drawer and of `finish`.
  func run<Value: Sendable>(
    _ job: RenderJob, for account: JobAccount = JobAccount(),
    _ finish: @escaping @Sendable (JobOutcome) throws -> Value
  ) async throws -> Value {
    if job.costs { try account.check() }
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let ticket = ticket(number, account)
    let outcome: Result<Value, any Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = OrderContinuation(continuation)
        // The order may wait behind others, but its caller must get an answer at the deadline.
        deadlines.add(number, at: ticket.deadline) { [self] in
          _ = withdraw(number)
          answer.give(.failure(MemeError.renderTimeout))
        }
        let order = Order(
          number: number, ticket: ticket, shelved: job.shelvedDigest,
          draw: { [self] drawer in
            let (began, waitedBefore) = (ContinuousClock.now, ticket.waited)
            ticket.begin()
            var performed: JobOutcome?
            let result = Result {
              try ticket.check()
              let done = try drawer.perform(job, ticket)
              performed = done
              return try finish(done)
            }
            if ticket.isPostponed { return (nil, {}) }
            settle(ticket, account, result, since: began, waitedBefore)
            if case .meme = job.work { meter.count(result, began) }
            let tell = { [self] in
              deadlines.remove(number)
              answer.give(result)
            }
            return (performed, tell)
          },
          fail: { [self] error in
            deadlines.remove(number)
            answer.give(.failure(error))
          })
        if let refusal = submit(order, account) {
          meter.refused.add()
          order.fail(refusal)
        }
      }
    } onCancel: {
      ticket.cancel()
      withdraw(number)?.fail(MemeError.rendering(CancellationError()))
    }
    return try value(of: outcome, ticket)
  }

  /// The value or the error for the caller. A timeout that the wait caused, and not the job, becomes `overloaded`.
  private func value<Value>(
    of outcome: Result<Value, any Error>, _ ticket: RenderTicket
  ) throws -> Value {
    guard case .failure(MemeError.renderTimeout) = outcome else { return try outcome.get() }
    if ticket.hasMostlyWaited {
      meter.refused.add()
      throw MemeError.overloaded()
    }
    meter.late.add()
    throw MemeError.renderTimeout
  }

  /// Creates a ticket that leaves a worker free of large orders, and that charges the account.
  private func ticket(_ number: Int, _ account: JobAccount) -> RenderTicket {
    RenderTicket(deadline: .now + .seconds(settings.timeoutSeconds)) {
      [self] need in
      let mayGoOn =
        need.cost <= JobRequirements.large || state.withLock { $0.schedule.enlarge(number) }
      guard mayGoOn else { throw MemeError.rendering(Postponed()) }
      try account.charge(need.cost)
    }
  }

  /// Rejects waiting and new orders, gives running orders the time in the settings to end, and ends the workers.
  package func stop() async {
    let refused = state.withLock { state in
      state.isStopping = true
      for worker in state.workers {
        worker.running?.ticket.end(by: .now + .seconds(settings.stopSeconds))
      }
      return state.schedule.withdrawAll()
    }
    for order in refused { order.fail(MemeError.overloaded()) }
    for wakeUp in wakeUps { wakeUp.signal() }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.hasEnded { state.stops.append(continuation) }
        return state.hasEnded
      }
      if isOver { continuation.resume() }
    }
  }

  /// Queues an order, which may start at once.
  ///
  /// - Returns: the error if the order is rejected.
  private func submit(_ order: Order, _ account: JobAccount) -> MemeError? {
    let entry = RenderSchedule<Order>.Entry(
      number: order.number, for: account.requester, isPatient: account.isPatient, order)
    let (refusal, dropped, woken) = state.withLock { state -> (MemeError?, Order?, [Int]) in
      guard !state.isStopping else { return (.overloaded(), nil, []) }
      let wait = state.schedule.wait(for: account.requester, isPatient: account.isPatient)
      guard wait < .seconds(settings.timeoutSeconds) else {
        return (.overloaded(retryAfter: wait), nil, [])
      }
      let (isTaken, dropped) = state.schedule.add(entry)
      return (isTaken ? nil : .overloaded(retryAfter: wait), dropped, state.start())
    }
    dropped?.fail(MemeError.overloaded())
    for worker in woken { wakeUps[worker].signal() }
    return refusal
  }

  /// Charges the cost of an order. An order that did not complete is charged for its
  /// time, because it occupied a worker.
  private func settle<Value>(
    _ ticket: RenderTicket, _ account: JobAccount, _ result: Result<Value, any Error>,
    since began: ContinuousClock.Instant, _ waitedBefore: Duration
  ) {
    let (unpaid, paid) = ticket.settle()
    let time = max(.zero, .now - began - (ticket.waited - waitedBefore))
    state.withLock { $0.schedule.note(time) }
    switch result {
    case .failure(MemeError.renderingStarved): account.owe(unpaid)
    case .failure(MemeError.renderTimeout), .failure(MemeError.rendering):
      account.owe(unpaid + JobRequirements.cost(of: time))
    default: account.owe(unpaid + JobRequirements.excess(of: time, above: unpaid + paid))
    }
  }

  /// Removes an order from the queue; `nil` if it is no longer waiting.
  private func withdraw(_ number: Int) -> Order? {
    state.withLock { $0.schedule.withdraw(number) }
  }

  /// The main function of each worker thread.
  private func work(_ worker: Int, _ drawer: any Drawer) {
    drawer.warmUp()
    while next(worker, drawer) {}
    drawer.end()
    let isLast = state.withLock { state in
      state.alive -= 1
      return state.alive == 0
    }
    guard isLast else { return }
    deadlines.stop()
    afterwards()
    let stops = state.withLock { state in
      state.hasEnded = true
      defer { state.stops = [] }
      return state.stops
    }
    for stop in stops { stop.resume() }
  }

  /// Waits for an order. Lets the drawer free memory after a short wait, and again after a long one.
  private func waitForOrder(_ worker: Int, _ drawer: any Drawer) {
    var time = Duration.zero
    for seconds in [settings.restAfterSeconds, settings.idleAfterSeconds] {
      if wakeUps[worker].wait(timeout: .now() + seconds) == .success { return }
      time += .seconds(seconds)
      let shelfBytes = drawer.rest(after: time)
      state.withLock { $0.workers[worker].shelfBytes = shelfBytes }
    }
    wakeUps[worker].wait()
  }

  /// Waits for an order and draws it.
  ///
  /// - Returns: `false` once the pool is stopping.
  private func next(_ worker: Int, _ drawer: any Drawer) -> Bool {
    waitForOrder(worker, drawer)
    var order = state.withLock { $0.workers[worker].running }
    while let current = order {
      let (performed, tell) = current.draw(drawer)
      if performed?.isFromShelf == true { meter.previewsFromMemory.add() }
      let refused: Bool
      let woken: [Int]
      (order, refused, woken) = state.withLock { state in
        let refused = !state.finish(current, performed, on: worker)
        let started = state.start().filter { $0 != worker }
        return (state.workers[worker].running, refused, started)
      }
      if refused { current.fail(MemeError.overloaded()) }
      for other in woken { wakeUps[other].signal() }
      // Resume the caller only now, so that the next preview of the same picture can go to this worker.
      tell()
    }
    return state.withLock { !$0.isStopping }
  }
}

extension RenderPool.State {
  /// Frees the worker, and queues the order again if it was postponed.
  ///
  /// - Returns: `false` if the order was postponed but the pool is stopping.
  fileprivate mutating func finish(
    _ order: RenderPool.Order, _ performed: JobOutcome?, on worker: Int
  ) -> Bool {
    workers[worker].running = nil
    if order.ticket.isPostponed, !isStopping {
      order.ticket.isPostponed = false
      schedule.postpone(order.number)
      return true
    }
    schedule.end(order.number)
    guard let performed else { return !order.ticket.isPostponed }
    lastDrawn = .now
    workers[worker].shelfBytes = performed.shelfBytes
    if let digest = order.shelved { workers[worker].remember(digest) }
    return true
  }

  /// Assigns waiting orders to idle workers, if possible to a worker that probably has the picture in its cache.
  ///
  /// - Returns: the workers that got an order.
  fileprivate mutating func start() -> [Int] {
    var started: [Int] = []
    while let order = schedule.start() {
      let idle = workers.indices.filter { workers[$0].running == nil }
      guard let worker = idle.first(where: { order.isLikelyOn(workers[$0]) }) ?? idle.first else {
        break
      }
      workers[worker].running = order
      started.append(worker)
    }
    return started
  }
}

extension RenderPool.Order {
  fileprivate func isLikelyOn(_ worker: RenderPool.Worker) -> Bool {
    shelved.map(worker.recent.contains) ?? false
  }
}
