import Foundation
import Memes
import Metrics
import Synchronization

/// A fixed set of workers that draw, with a bounded queue before them. Each is a thread with a ``Drawer``.
///
/// Drawing takes tens of milliseconds, so its threads are none of Swift's cooperative ones.
package final class RenderPool: Sendable {
  /// How busy the pool is at a moment.
  package struct Load: Sendable, Equatable {
    package let workers: Int
    package let busy: Int
    package let waiting: Int
  }

  /// What the pool counts.
  package let meter = RenderMeter()
  /// Counts the ends of its processes; `nil` if it has none.
  package let helpers: HelperMeter?
  /// The memory of jobs that have a process of their own; `nil` if none have.
  package let memory: RenderMemory?
  private let afterwards: @Sendable () -> Void
  private let settings: RendererSettings
  private let state: Mutex<State>
  /// One for each worker, signalled when it has an order or should end.
  private let wakeUps: [DispatchSemaphore]

  fileprivate struct State {
    var schedule: RenderSchedule<Order>
    var workers: [Worker]
    var nextNumber = 0
    var alive: Int
    var isStopping = false
    var hasEnded = false
    /// When an order last came out well.
    var lastDrawn: ContinuousClock.Instant?
    var stops: [CheckedContinuation<Void, Never>] = []
  }

  /// A worker, as it is known where orders are given.
  fileprivate struct Worker {
    /// Its next order, or the one that it does.
    var running: Order?
    /// Pictures that it drew previews on, the latest last: it is likely to have them.
    var recent: [Digest] = []
    /// Of pictures that it keeps for previews.
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
    /// Of the picture that previews are drawn on.
    let shelved: Digest?
    /// - Returns: also what tells the one who waits, once the worker is free.
    let draw: @Sendable (any Drawer) -> (Performed?, tell: () -> Void)
    let fail: @Sendable (MemeError) -> Void
  }

  /// Starts the workers, which load what they need at once. They run until ``stop()``.
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

  /// The memory of shrunken pictures that previews are drawn on.
  package var shelfBytes: Int { state.withLock { $0.workers.reduce(0) { $0 + $1.shelfBytes } } }

  /// Whether an order came out well within this time.
  func hasDrawn(within time: Duration) -> Bool {
    state.withLock { $0.lastDrawn.map { .now - $0 < time } ?? false }
  }

  /// Does a job when its turn comes.
  ///
  /// - Parameters:
  ///   - account: the requester, and the limit that is charged.
  ///   - finish: makes of the result what is wanted, on the worker's thread.
  /// - Throws: ``MemeError/throttled(_:)`` if nothing is left to pay with; ``MemeError/overloaded(retryAfter:)`` at once if there is
  ///   no place, the wait would be too long or the pool stops, and at the end of the time if most of it was spent waiting;
  ///   ``MemeError/renderTimeout``, counted from this call; ``MemeError/rendering(_:)`` with a `CancellationError` if the task is cancelled before the job is
  ///   done; and what the drawer and `finish` throw.
  func run<Value: Sendable>(
    _ job: RenderJob, for account: JobAccount = JobAccount(),
    _ finish: @escaping @Sendable (Performed) throws(MemeError) -> Value
  ) async throws(MemeError) -> Value {
    if job.costs { try account.check() }
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let ticket = ticket(number, account)
    let outcome: Result<Value, MemeError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = RenderAnswer(continuation)
        // An order may wait behind others: its own answer must not.
        let alarm = Task.detached { [self] in
          try await Task.sleep(until: ticket.deadline)
          _ = withdraw(number)
          answer.give(.failure(.renderTimeout))
        }
        let order = Order(
          number: number, ticket: ticket, shelved: job.shelvedDigest,
          draw: { [self] drawer in
            let (began, waitedBefore) = (ContinuousClock.now, ticket.waited)
            ticket.begin()
            var performed: Performed?
            let result = Result { () throws(MemeError) in
              try ticket.check()
              let done = try drawer.perform(job, ticket)
              performed = done
              return try finish(done)
            }
            if ticket.isPostponed { return (nil, {}) }
            settle(ticket, account, result, since: began, waitedBefore)
            if case .meme = job.work { meter.count(result, began) }
            let tell = {
              answer.give(result)
              alarm.cancel()
            }
            return (performed, tell)
          },
          fail: { error in
            answer.give(.failure(error))
            alarm.cancel()
          })
        if let refusal = submit(order, account) {
          meter.refused.add()
          order.fail(refusal)
        }
      }
    } onCancel: {
      ticket.cancel()
      withdraw(number)?.fail(.rendering(CancellationError()))
    }
    guard case .failure(.renderTimeout) = outcome else { return try outcome.get() }
    // It says nothing of the job.
    if ticket.hasMostlyWaited {
      meter.refused.add()
      throw .overloaded()
    }
    meter.late.add()
    throw .renderTimeout
  }

  /// A ticket that sees to it that large orders leave a worker to others, and that is charged to the account.
  private func ticket(_ number: Int, _ account: JobAccount) -> RenderTicket {
    RenderTicket(deadline: .now + .seconds(settings.timeoutSeconds)) {
      [self] need throws(MemeError) in
      let mayGoOn =
        need.cost <= JobNeed.large || state.withLock { $0.schedule.enlarge(number) }
      guard mayGoOn else { throw .rendering(Postponed()) }
      try account.charge(need.cost)
    }
  }

  /// Lets running orders end, for as long as the settings say, refuses those that wait and all that come, and ends the workers.
  package func stop() async {
    let refused = state.withLock { state in
      state.isStopping = true
      for worker in state.workers {
        worker.running?.ticket.end(by: .now + .seconds(settings.stopSeconds))
      }
      return state.schedule.withdrawAll()
    }
    for order in refused { order.fail(.overloaded()) }
    for wakeUp in wakeUps { wakeUp.signal() }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.hasEnded { state.stops.append(continuation) }
        return state.hasEnded
      }
      if isOver { continuation.resume() }
    }
  }

  /// Lets an order wait for its turn, which may be at once.
  ///
  /// - Returns: why it may not.
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
    dropped?.fail(.overloaded())
    for worker in woken { wakeUps[worker].signal() }
    return refusal
  }

  /// Charges the cost of an order. One that came to no end is charged for its time: it has held a worker.
  private func settle<Value>(
    _ ticket: RenderTicket, _ account: JobAccount, _ result: Result<Value, MemeError>,
    since began: ContinuousClock.Instant, _ waitedBefore: Duration
  ) {
    let (unpaid, paid) = ticket.settle()
    let time = max(.zero, .now - began - (ticket.waited - waitedBefore))
    state.withLock { $0.schedule.note(time) }
    switch result {
    case .failure(.renderingStarved): account.owe(unpaid)
    case .failure(.renderTimeout), .failure(.rendering):
      account.owe(unpaid + JobNeed.cost(of: time))
    default: account.owe(unpaid + JobNeed.excess(of: time, above: unpaid + paid))
    }
  }

  /// Takes an order back while it waits; `nil` if it does not wait any more.
  private func withdraw(_ number: Int) -> Order? {
    state.withLock { $0.schedule.withdraw(number) }
  }

  /// What each thread does.
  private func work(_ worker: Int, _ drawer: any Drawer) {
    drawer.warmUp()
    while next(worker, drawer) {}
    drawer.end()
    let isLast = state.withLock { state in
      state.alive -= 1
      return state.alive == 0
    }
    guard isLast else { return }
    afterwards()
    let stops = state.withLock { state in
      state.hasEnded = true
      defer { state.stops = [] }
      return state.stops
    }
    for stop in stops { stop.resume() }
  }

  /// Lets the drawer rest if there is no order for a while, and again if there is none for long.
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
  /// - Returns: whether there may be more.
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
      if refused { current.fail(.overloaded()) }
      for other in woken { wakeUps[other].signal() }
      // Not before: the next preview of the same picture is for this worker.
      tell()
    }
    return state.withLock { !$0.isStopping }
  }
}

extension RenderPool.State {
  /// Lets the worker go, and the order wait again if it must.
  ///
  /// - Returns: whether it may: not in a pool that stops.
  fileprivate mutating func finish(
    _ order: RenderPool.Order, _ performed: Performed?, on worker: Int
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

  /// Gives workers that have nothing to do the orders whose turn it is, each to the one that is likely to have its picture.
  ///
  /// - Returns: those workers.
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
