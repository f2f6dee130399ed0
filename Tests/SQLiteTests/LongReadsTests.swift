import Eventually
import Foundation
import Synchronization
import Testing

@testable import SQLite

struct LongReadsTests {
  /// Holds reads until they are released.
  private final class Hold: Sendable {
    private let open = DispatchSemaphore(value: 0)
    private let inside = Mutex<[String]>([])

    var running: [String] { inside.withLock { $0 } }

    func pass(_ name: String) -> String {
      inside.withLock { $0.append(name) }
      open.wait()
      inside.withLock { names in names.removeAll { $0 == name } }
      return name
    }

    func release(_ count: Int = 1) { for _ in 0..<count { open.signal() } }
  }

  private func read(
    _ reads: LongReads, _ hold: Hold, _ name: String, for caller: String?
  ) -> Task<String?, Never> {
    Task { await reads.run(for: caller) { hold.pass(name) } }
  }

  @Test(.timeLimit(.minutes(1)))
  func `one of a caller's reads runs at a time, and others beside it`() async throws {
    let (reads, hold) = (LongReads(threads: 2), Hold())
    var tasks: [Task<String?, Never>] = []
    for number in 0..<3 {
      tasks.append(read(reads, hold, "s\(number)", for: "stranger"))
      try await eventually("the stranger's read is there") {
        hold.running == ["s0"] && reads.waiting == number
      }
    }
    tasks.append(read(reads, hold, "a0", for: "ada"))
    try await eventually("ada's runs beside the first") { Set(hold.running) == ["s0", "a0"] }
    #expect(reads.waiting == 2)
    hold.release(4)
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `what finds no place is refused at once, and what is cancelled gives its own back`()
    async throws
  {
    let (reads, hold) = (LongReads(threads: 1, places: 3, placesOfCaller: 2), Hold())
    let first = read(reads, hold, "s0", for: "stranger")
    try await eventually("the first runs") { hold.running == ["s0"] }
    let waiting = (1...2).map { read(reads, hold, "s\($0)", for: "stranger") }
    try await eventually("two wait") { reads.waiting == 2 }
    #expect(await read(reads, hold, "s3", for: "stranger").value == nil)
    let ada = read(reads, hold, "a0", for: "ada")
    try await eventually("ada's waits too") { reads.waiting == 3 }
    ada.cancel()
    #expect(await ada.value == nil)
    #expect(reads.waiting == 2)
    hold.release(3)
    #expect(await first.value == "s0")
    for task in waiting { #expect(await task.value != nil) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `if no place is free, whoever has most gives one to somebody who has fewer`() async throws {
    let (reads, hold) = (LongReads(threads: 1, places: 4), Hold())
    let first = read(reads, hold, "s0", for: "stranger")
    try await eventually("the first runs") { hold.running == ["s0"] }
    var tasks: [Task<String?, Never>] = []
    for number in 1...4 {
      tasks.append(read(reads, hold, "s\(number)", for: "stranger"))
      try await eventually("it waits") { reads.waiting == number }
    }
    let ada = read(reads, hold, "a0", for: "ada")
    #expect(await tasks.removeLast().value == nil)
    let own = read(reads, hold, "own", for: nil)
    #expect(await tasks.removeLast().value == nil)
    // Nobody has more than the next one would.
    let second = read(reads, hold, "a1", for: "ada")
    #expect(await second.value == nil)
    let always = read(reads, hold, "own2", for: nil)
    #expect(await tasks.removeLast().value == nil)
    hold.release(5)
    for task in [first, ada, own, always] + tasks { #expect(await task.value != nil) }
  }
}
