import Eventually
import Foundation
import Memes
import Synchronization
import Testing

@testable import Rendering

struct RenderPoolTests {
  /// Keeps one worker busy until it is told to go on.
  private final class Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func pass() {
      entered.signal()
      opened.wait()
    }
    /// Returns once somebody is inside.
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

  /// Has nothing to do: what takes time is what a test does with the result, on the worker's thread.
  private final class Idle: Drawer {
    private let rests: @Sendable () -> Void

    init(rests: @escaping @Sendable () -> Void = {}) { self.rests = rests }

    func warmUp() {}
    func end() {}

    func rest(after time: Duration) -> Int {
      rests()
      return 0
    }

    func perform(_ job: RenderJob, _ ticket: RenderTicket) throws(MemeError) -> Performed {
      Performed(.trial, file: nil, isFromShelf: false, shelfBytes: 0)
    }
  }

  private func pool(queue: Int, timeout: Int = 20) -> RenderPool {
    RenderPool(settings: settings(queue: queue, timeout: timeout)) { Idle() }
  }

  private func run(
    _ pool: RenderPool, _ body: @escaping @Sendable () -> Void = {}
  ) async throws(MemeError) {
    try await pool.run(RenderJob(.trial)) { _ in body() }
  }

  /// Starts an order that holds the pool's one worker until the gate opens.
  private func occupy(_ pool: RenderPool, _ gate: Gate) async -> Task<String, Never> {
    let task = Task {
      await outcome { () async throws(MemeError) in try await run(pool) { gate.pass() } }
    }
    await gate.waitUntilEntered()
    return task
  }

  private func outcome(_ body: () async throws(MemeError) -> Void) async -> String {
    do throws(MemeError) {
      try await body()
      return "done"
    } catch {
      switch error {
      case .overloaded: return "overloaded"
      case .renderTimeout: return "timeout"
      case .rendering(let inner): return inner is CancellationError ? "cancelled" : "failed"
      default: return "other"
      }
    }
  }

  @Test func `a worker that has nothing to do rests once`() async throws {
    var settings = settings(queue: 1)
    settings.restAfterSeconds = 0.01
    let rests = Atomic(0)
    let pool = RenderPool(settings: settings) {
      Idle { rests.add(1, ordering: .relaxed) }
    }
    try await eventually("it rests") { rests.load(ordering: .relaxed) == 1 }
    try await run(pool)
    try await eventually("it rests again") { rests.load(ordering: .relaxed) == 2 }
    await pool.stop()
  }

  private func waitUntilWaiting(_ count: Int, in pool: RenderPool) async throws {
    try await eventually("\(count) orders wait") { pool.load.waiting == count }
  }

  @Test func `a full queue refuses at once, and what was taken is done`() async throws {
    let pool = pool(queue: 1)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let waiting = Task {
      await outcome { () async throws(MemeError) in try await run(pool) }
    }
    try await waitUntilWaiting(1, in: pool)
    #expect(pool.load == RenderPool.Load(workers: 1, busy: 1, waiting: 1))
    let refused = await outcome { () async throws(MemeError) in try await run(pool) }
    #expect(refused == "overloaded")
    gate.open()
    #expect(await running.value == "done")
    #expect(await waiting.value == "done")
    await pool.stop()
  }

  @Test func `time runs from the moment of the order, and a late drawing is not begun`()
    async throws
  {
    let pool = pool(queue: 4, timeout: 1)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let begun = Atomic(false)
    let started = ContinuousClock.now
    let late = await outcome { () async throws(MemeError) in
      try await run(pool) { begun.store(true, ordering: .relaxed) }
    }
    #expect(late == "overloaded")
    #expect(ContinuousClock.now - started >= .milliseconds(990))
    #expect(pool.load.waiting == 0)
    gate.open()
    // The worker was busy past its own deadline as well: its answer was given without it.
    #expect(await running.value == "timeout")
    await pool.stop()
    let wasBegun = begun.load(ordering: .relaxed)
    #expect(!wasBegun)
  }

  @Test func `an order that is cancelled while it waits is not drawn`() async throws {
    let pool = pool(queue: 4)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let begun = Atomic(false)
    let waiting = Task {
      await outcome { () async throws(MemeError) in
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

  @Test func `what takes much longer than it costs is charged for its time`() {
    #expect(JobNeed.cost(of: .seconds(20)) == 2_000_000_000)
    // A third of a second, as the factors say, and five times that on a slow machine.
    #expect(JobNeed.excess(of: .milliseconds(330), above: 50_000_000) == 0)
    #expect(JobNeed.excess(of: .milliseconds(1650), above: 50_000_000) == 0)
    #expect(JobNeed.excess(of: .seconds(10), above: 50_000_000) == 200_000_000)
  }

  @Test func `what is drawn once and kept is drawn for whoever has nothing left`() async throws {
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

  /// Needs so much before it goes through the gate.
  private final class Costly: Drawer {
    let cost: Int
    let gate: Gate

    init(cost: Int, _ gate: Gate) { (self.cost, self.gate) = (cost, gate) }

    func warmUp() {}
    func end() {}
    func rest(after time: Duration) -> Int { 0 }

    func perform(_ job: RenderJob, _ ticket: RenderTicket) throws(MemeError) -> Performed {
      try ticket.claim(JobNeed(bytes: 0, cost: cost))
      gate.pass()
      return Performed(.trial, file: nil, isFromShelf: false, shelfBytes: 0)
    }
  }

  private let stranger = Requester(.network(ClientNetwork("192.0.2.7")), pays: true)

  @Test(arguments: [300_000, 30_000_000])
  func `what is drawn is charged, and nothing is left in the end`(cost: Int) async throws {
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
    // A requester who pays nothing, another network and the server itself are not refused.
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

  @Test func `an order is not kept once it is done`() async throws {
    final class Weak: Sendable {
      // Touched under the lock alone.
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
      func perform(_ job: RenderJob, _ ticket: RenderTicket) throws(MemeError) -> Performed {
        seen.set(ticket)
        try ticket.claim(JobNeed(bytes: 0, cost: 60_000_000))
        return Performed(.trial, file: nil, isFromShelf: false, shelfBytes: 0)
      }
    }
    let seen = Weak()
    let pool = RenderPool(settings: settings(queue: 4)) { Noting(seen) }
    try await pool.run(RenderJob(.trial)) { _ in }
    // The alarm of the order lets it go when it sees that it is cancelled.
    try await eventually("the order is gone") { seen.isGone }
    await pool.stop()
  }

  @Test func `of two that cost much one waits, and others are drawn beside the first`() async throws
  {
    var settings = settings(queue: 4)
    settings.workers = 2
    let gate = Gate()
    let pool = RenderPool(settings: settings) { Costly(cost: 60_000_000, gate) }
    let large = Task {
      await outcome { () async throws(MemeError) in
        try await pool.run(RenderJob(.trial)) { _ in }
      }
    }
    await gate.waitUntilEntered()
    let second = Task {
      await outcome { () async throws(MemeError) in
        try await pool.run(RenderJob(.trial)) { _ in }
      }
    }
    // It has been begun, and put back.
    try await waitUntilWaiting(1, in: pool)
    #expect(pool.load.busy == 1)
    gate.open()
    #expect(await large.value == "done")
    await gate.waitUntilEntered()
    gate.open()
    #expect(await second.value == "done")
    await pool.stop()
  }

  @Test func `stopping lets the running order end and refuses the others`() async throws {
    let pool = pool(queue: 4)
    let gate = Gate()
    let running = await occupy(pool, gate)
    let waiting = Task {
      await outcome { () async throws(MemeError) in try await run(pool) }
    }
    try await waitUntilWaiting(1, in: pool)
    let stopping = Task { await pool.stop() }
    #expect(await waiting.value == "overloaded")
    gate.open()
    await stopping.value
    #expect(await running.value == "done")
    #expect(
      await outcome { () async throws(MemeError) in try await run(pool) } == "overloaded"
    )
    // A second stop finds nothing to do.
    await pool.stop()
  }
}
