import Eventually
import Synchronization
import Testing

@testable import Memes
@testable import Services

struct SingleFlightTests {
  /// Work that runs until `open()` or its cancellation.
  private final class Work: Sendable {
    private struct State {
      var isOpen = false
      var begun = 0
      var cancelled = 0
    }

    private let state = Mutex(State())

    var begun: Int { state.withLock { $0.begun } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    func open() { state.withLock { $0.isOpen = true } }

    func run() async throws -> Int {
      let number = state.withLock { state in
        state.begun += 1
        return state.begun
      }
      while !state.withLock({ $0.isOpen }) {
        do { try await Task.sleep(for: .milliseconds(1)) } catch {
          state.withLock { $0.cancelled += 1 }
          throw MemeError.rendering(error)
        }
      }
      return number
    }
  }

  private let flights = SingleFlight<String, Int>()
  private let work = Work()

  private func ask(_ key: String = "a") -> Task<Int, any Error> {
    Task { [flights, work] in
      try await flights.value(for: key) { try await work.run() }
    }
  }

  private func waitUntil(_ isTrue: () -> Bool) async throws {
    try await eventually("the work is as expected") { isTrue() }
  }

  @Test(.timeLimit(.minutes(1)))
  func `equal requests share one run, and other requests get their own`() async throws {
    let same = (0..<50).map { _ in ask() }
    try await waitUntil { work.begun == 1 }
    let other = ask("b")
    try await waitUntil { work.begun == 2 }
    // All callers have joined by now, or join while the work still runs.
    for _ in 0..<100 { await Task.yield() }
    work.open()
    for task in same { #expect(try await task.value == 1) }
    #expect(try await other.value == 2)
    #expect(work.begun == 2)
    // No result is kept.
    #expect(try await ask().value == 3)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a canceled caller does not affect the others`() async throws {
    let first = ask()
    try await waitUntil { work.begun == 1 }
    let second = ask()
    for _ in 0..<100 { await Task.yield() }
    first.cancel()
    for _ in 0..<100 { await Task.yield() }
    #expect(work.cancelled == 0)
    work.open()
    #expect(try await second.value == 1)
    #expect(work.begun == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `work without callers is canceled, and new callers do not join it`() async throws {
    let first = ask()
    try await waitUntil { work.begun == 1 }
    first.cancel()
    try await waitUntil { work.cancelled == 1 }
    await #expect(throws: MemeError.self) { try await first.value }
    let second = ask()
    try await waitUntil { work.begun == 2 }
    work.open()
    #expect(try await second.value == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `callers that come and go always get a value or a cancellation`() async throws {
    work.open()
    let flights = flights
    await withTaskGroup { group in
      for number in 0..<2000 {
        group.addTask {
          let task = Task {
            try await flights.value(for: "\(number % 3)") {
              await Task.yield()
              return number % 3
            }
          }
          if number % 5 == 0 { task.cancel() }
          // No caller is canceled because another one leaves.
          let value = try? await task.value
          #expect(value == number % 3)
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a throttled caller does not affect the others`() async throws {
    let spent = Allowance(
      limit: .render, burst: 200, window: .seconds(10), remaining: 0, untilFull: .seconds(10),
      wait: .seconds(1))
    let first = Task { [flights, work] in
      try await flights.value(for: "a") {
        _ = try await work.run()
        throw MemeError.throttled(spent)
      }
    }
    try await waitUntil { work.begun == 1 }
    let others = (0..<3).map { number in
      Task { [flights] in try await flights.value(for: "a") { number } }
    }
    for _ in 0..<100 { await Task.yield() }
    work.open()
    await #expect(throws: MemeError.self) { try await first.value }
    // The first of the waiting callers runs the work for the others.
    for other in others { #expect((0..<3).contains(try await other.value)) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `after an overload error each other caller tries on its own`() async throws {
    let first = Task { [flights, work] in
      try await flights.value(for: "a") {
        _ = try await work.run()
        throw MemeError.overloaded()
      }
    }
    try await waitUntil { work.begun == 1 }
    let others = (0..<5).map { _ in
      Task { [flights] in
        try await flights.value(for: "a") { throw MemeError.overloaded() }
      }
    }
    for _ in 0..<100 { await Task.yield() }
    work.open()
    for task in [first] + others {
      await #expect(throws: MemeError.self) { try await task.value }
    }
  }
}
