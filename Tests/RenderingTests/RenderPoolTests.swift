import Eventually
import Foundation
import Memes
import Synchronization
import Testing

@testable import Rendering

struct RenderPoolTests {
  /// Blocks one worker until the gate opens.
  private final class Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func pass() {
      entered.signal()
      opened.wait()
    }
    /// Returns after a worker has entered.
    func waitUntilEntered() async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [entered] in
          entered.wait()
          continuation.resume()
        }
      }
    }
    func open() { opened.signal() }
  }

  private func settings(queue: Int, timeout: Int = 20) -> RendererSettings {
    var settings = RendererSettings(workers: 1)
    (settings.queue, settings.timeoutSeconds) = (queue, timeout)
    return settings
  }

  /// Draws nothing. The time is spent in the test's closure, which runs on the worker's thread.
  private final class Idle: Drawer {
    private let rests: @Sendable () -> Void

    init(rests: @escaping @Sendable () -> Void = {}) { self.rests = rests }

    func warmUp() {}
    func end() {}

    func rest(after time: Duration) -> Int {
      rests()
      return 0
    }

    func perform(_ job: RenderJob, _ ticket: RenderTicket) throws -> JobOutcome {
      JobOutcome(.trial, file: nil, isFromShelf: false, shelfBytes: 0)
    }
  }

  private func pool(queue: Int, timeout: Int = 20) -> RenderPool {
    RenderPool(settings: settings(queue: queue, timeout: timeout)) { Idle() }
  }

  private func run(
    _ pool: RenderPool, _ body: @escaping @Sendable () -> Void = {}
  ) async throws {
    try await pool.run(RenderJob(.trial)) { _ in body() }
  }

  /// Starts an order that blocks the pool's only worker until the gate opens.
  private func occupy(_ pool: RenderPool, _ gate: Gate) async -> Task<String, Never> {
    let task = Task {
      await outcome { try await run(pool) { gate.pass() } }
    }
    await gate.waitUntilEntered()
    return task
  }

  private func outcome(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "done"
    } catch {
      switch error {
      case MemeError.overloaded: return "overloaded"
      case MemeError.renderTimeout: return "timeout"
      case MemeError.rendering(let inner):
        return inner is CancellationError ? "cancelled" : "failed"
      default: return "other"
      }
    }
  }

  @Test func `an idle worker rests once`() async throws {
    var settings = settings(queue: 1)
    settings.restAfterSeconds = 0.01
    let rests = Atomic(0)
    let pool = RenderPool(settings: settings) {
      Idle { rests.add(1, ordering: .relaxed) }
    }
    try await eventually("the worker rests") { rests.load(ordering: .relaxed) == 1 }
    try await run(pool)
    try await eventually("the worker rests again") { rests.load(ordering: .relaxed) == 2 }
    await pool.stop()
  }

  private func waitUntilWaiting(_ count: Int, in pool: RenderPool) async throws {
    try await eventually("\(count) orders wait") { pool.load.waiting == count }
  }

  @Test func `a full queue rejects at once, and accepted orders complete`() async throws {
    let pool = pool(queue: 1)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let waiting = Task {
      await outcome { try await run(pool) }
    }
    try await waitUntilWaiting(1, in: pool)
    #expect(pool.load == RenderPool.Load(workers: 1, busy: 1, waiting: 1))
    let refused = await outcome { try await run(pool) }
    #expect(refused == "overloaded")
    gate.open()
    #expect(await running.value == "done")
    #expect(await waiting.value == "done")
    await pool.stop()
  }

  @Test func `the time limit begins with the order, and a late order is not started`()
    async throws
  {
    let pool = pool(queue: 4, timeout: 1)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let begun = Atomic(false)
    let started = ContinuousClock.now
    let late = await outcome {
      try await run(pool) { begun.store(true, ordering: .relaxed) }
    }
    #expect(late == "overloaded")
    #expect(ContinuousClock.now - started >= .milliseconds(990))
    #expect(pool.load.waiting == 0)
    gate.open()
    // The worker was busy beyond its own deadline too, so its order timed out before it ended.
    #expect(await running.value == "timeout")
    await pool.stop()
    let wasBegun = begun.load(ordering: .relaxed)
    #expect(!wasBegun)
  }

  @Test func `an order that is canceled while it waits is not drawn`() async throws {
    let pool = pool(queue: 4)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let begun = Atomic(false)
    let waiting = Task {
      await outcome {
        try await run(pool) { begun.store(true, ordering: .relaxed) }
      }
    }
    try await waitUntilWaiting(1, in: pool)
    waiting.cancel()
    #expect(await waiting.value == "cancelled")
    #expect(pool.load.waiting == 0)
    gate.open()
    #expect(await running.value == "done")
    await pool.stop()
    let wasBegun = begun.load(ordering: .relaxed)
    #expect(!wasBegun)
  }

  @Test func `a job that takes much longer than its cost is charged for its time`() {
    #expect(JobRequirements.cost(of: .seconds(20)) == 2_000_000_000)
    // A third of a second by the factors, and five times as much on a slow machine.
    #expect(JobRequirements.excess(of: .milliseconds(330), above: 50_000_000) == 0)
    #expect(JobRequirements.excess(of: .milliseconds(1650), above: 50_000_000) == 0)
    #expect(JobRequirements.excess(of: .seconds(10), above: 50_000_000) == 200_000_000)
  }

  @Test func `a result that is drawn once and kept needs no budget`() async throws {
    let throttle = Throttle(isOn: true) { [now = ContinuousClock.now] in now }
    let pool = pool(queue: 4)
    let account = JobAccount(stranger, throttle)
    account.owe(500_000_000)
    try await pool.run(RenderJob(.sample(.impact)), for: account) { _ in }
    await #expect(throws: MemeError.self) {
      try await pool.run(RenderJob(.fontFile(.impact)), for: account) { _ in }
    }
    await pool.stop()
  }

  /// Claims a cost before it passes the gate.
  private final class Costly: Drawer {
    let cost: Int
    let gate: Gate

    init(cost: Int, _ gate: Gate) { (self.cost, self.gate) = (cost, gate) }

    func warmUp() {}
    func end() {}
    func rest(after time: Duration) -> Int { 0 }

    func perform(_ job: RenderJob, _ ticket: RenderTicket) throws -> JobOutcome {
      try ticket.claim(JobRequirements(bytes: 0, cost: cost))
      gate.pass()
      return JobOutcome(.trial, file: nil, isFromShelf: false, shelfBytes: 0)
    }
  }

  private let stranger = Requester(.network(ClientNetwork("192.0.2.7")), pays: true)

  @Test(arguments: [300_000, 30_000_000])
  func `each job is charged until the budget is used up`(cost: Int) async throws {
    let throttle = Throttle(isOn: true) { [now = ContinuousClock.now] in now }
    let gate = Gate()
    let pool = RenderPool(settings: settings(queue: 4)) { Costly(cost: cost, gate) }
    let account = JobAccount(stranger, throttle)
    let affordable = (200_000_000 - 1_000_000) / cost + 1
    for _ in 0..<affordable {
      gate.open()
      try await pool.run(RenderJob(.head), for: account) { _ in }
    }
    await #expect(throws: MemeError.self) {
      try await pool.run(RenderJob(.head), for: account) { _ in }
    }
    #expect(throttle.refusals(by: .render) == 1)
    // Not rejected: a requester who does not pay, another network, and the server itself.
    let others = [
      Requester(stranger.caller, pays: false),
      Requester(.network(ClientNetwork("192.0.2.8")), pays: true), nil,
    ]
    for other in others {
      gate.open()
      try await pool.run(RenderJob(.head), for: JobAccount(other, throttle)) { _ in }
    }
    await pool.stop()
  }

  @Test func `a completed order is released`() async throws {
    final class Weak: Sendable {
      // Accessed only under the lock.
      private struct Box: @unchecked Sendable { weak var ticket: RenderTicket? }
      private let box = Mutex(Box())
      func set(_ ticket: RenderTicket) { box.withLock { $0.ticket = ticket } }
      var isGone: Bool { box.withLock { $0.ticket == nil } }
    }
    final class Noting: Drawer {
      let seen: Weak
      init(_ seen: Weak) { self.seen = seen }
      func warmUp() {}
      func end() {}
      func rest(after time: Duration) -> Int { 0 }
      func perform(_ job: RenderJob, _ ticket: RenderTicket) throws -> JobOutcome {
        seen.set(ticket)
        try ticket.claim(JobRequirements(bytes: 0, cost: 60_000_000))
        return JobOutcome(.trial, file: nil, isFromShelf: false, shelfBytes: 0)
      }
    }
    let seen = Weak()
    let pool = RenderPool(settings: settings(queue: 4)) { Noting(seen) }
    try await pool.run(RenderJob(.trial)) { _ in }
    try await eventually("the order is released") { seen.isGone }
    await pool.stop()
  }

  @Test func `of two costly jobs one waits, and other jobs run in parallel`() async throws {
    var settings = settings(queue: 4)
    settings.workers = 2
    let gate = Gate()
    let pool = RenderPool(settings: settings) { Costly(cost: 60_000_000, gate) }
    let large = Task {
      await outcome {
        try await pool.run(RenderJob(.trial)) { _ in }
      }
    }
    await gate.waitUntilEntered()
    let second = Task {
      await outcome {
        try await pool.run(RenderJob(.trial)) { _ in }
      }
    }
    // It was started and then postponed.
    try await waitUntilWaiting(1, in: pool)
    #expect(pool.load.busy == 1)
    gate.open()
    #expect(await large.value == "done")
    await gate.waitUntilEntered()
    gate.open()
    #expect(await second.value == "done")
    await pool.stop()
  }

  @Test func `stopping lets the running order end and rejects the others`() async throws {
    let pool = pool(queue: 4)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let waiting = Task {
      await outcome { try await run(pool) }
    }
    try await waitUntilWaiting(1, in: pool)
    let stopping = Task { await pool.stop() }
    #expect(await waiting.value == "overloaded")
    gate.open()
    await stopping.value
    #expect(await running.value == "done")
    #expect(
      await outcome { try await run(pool) } == "overloaded"
    )
    // A second stop has no effect.
    await pool.stop()
  }
}
