import Crypto
import Dispatch
import Synchronization
import Testing

struct HashingThreadsTests {
  /// Work that blocks until the gate opens.
  private final class Gate: Sendable {
    let opened = DispatchSemaphore(value: 0)
    let (started, began) = AsyncStream.makeStream(of: Void.self)

    func pass() {
      began.yield()
      opened.wait()
    }

    func hasStarted(_ count: Int) async {
      var iterator = started.makeAsyncIterator()
      for _ in 0..<count { await iterator.next() }
    }
  }

  private final class Counts: Sendable {
    let running = Atomic(0)
    let most = Mutex(0)
    let hasRun = Atomic(false)

    func run() {
      let now = running.add(1, ordering: .sequentiallyConsistent).newValue
      most.withLock { $0 = max($0, now) }
      running.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  @Test func `no more than the limit run at once, and all complete`() async throws {
    let threads = HashingThreads(limit: 2, maximumWaiting: 64)
    let counts = Counts()
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...50 {
        group.addTask {
          try await threads.run {
            counts.run()
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 1275)
    #expect((1...2).contains(counts.most.withLock { $0 }))
  }

  @Test func `work beyond the queue limit is rejected at once`() async throws {
    let (threads, gate) = (HashingThreads(limit: 2, maximumWaiting: 0), Gate())
    async let first: Void = threads.run { gate.pass() }
    async let second: Void = threads.run { gate.pass() }
    await gate.hasStarted(2)
    await #expect(throws: HashingError.overloaded) { try await threads.run {} }
    gate.opened.signal()
    gate.opened.signal()
    _ = try await (first, second)
    // Capacity is available again, also just after the threads have ended.
    while (try? await threads.run {}) == nil { await Task.yield() }
  }

  @Test func `work of a canceled caller does not run`() async throws {
    let (threads, gate) = (HashingThreads(limit: 1, maximumWaiting: 1), Gate())
    let counts = Counts()
    async let first: Void = threads.run { gate.pass() }
    await gate.hasStarted(1)
    let second = Task { try await threads.run { counts.hasRun.store(true, ordering: .relaxed) } }
    second.cancel()
    gate.opened.signal()
    try await first
    await #expect(throws: HashingError.cancelled) { try await second.value }
    let hasRun = counts.hasRun.load(ordering: .relaxed)
    #expect(!hasRun)
  }
}
