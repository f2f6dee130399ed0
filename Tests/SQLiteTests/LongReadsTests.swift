import Eventually
import Foundation
import Synchronization
import Testing

@testable import SQL
@testable import SQLite

struct LongReadsTests {
  /// Blocks reads until they are released.
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
  func `each caller has one running read, and callers run in parallel`() async throws {
    let (reads, hold) = (LongReads(threads: 2), Hold())
    var tasks: [Task<String?, Never>] = []
    for number in 0..<3 {
      tasks.append(read(reads, hold, "s\(number)", for: "stranger"))
      try await eventually("the stranger's read runs or waits") {
        hold.running == ["s0"] && reads.waiting == number
      }
    }
    tasks.append(read(reads, hold, "a0", for: "ada"))
    try await eventually("ada's read runs at the same time") { Set(hold.running) == ["s0", "a0"] }
    #expect(reads.waiting == 2)
    hold.release(4)
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a read without a free place is rejected, and a canceled one frees its place`()
    async throws
  {
    let (reads, hold) = (LongReads(threads: 1, places: 3, placesOfCaller: 2), Hold())
    let first = read(reads, hold, "s0", for: "stranger")
    try await eventually("the first read runs") { hold.running == ["s0"] }
    let waiting = (1...2).map { read(reads, hold, "s\($0)", for: "stranger") }
    try await eventually("two reads wait") { reads.waiting == 2 }
    #expect(await read(reads, hold, "s3", for: "stranger").value == nil)
    let ada = read(reads, hold, "a0", for: "ada")
    try await eventually("ada's read waits too") { reads.waiting == 3 }
    ada.cancel()
    #expect(await ada.value == nil)
    #expect(reads.waiting == 2)
    hold.release(3)
    #expect(await first.value == "s0")
    for task in waiting { #expect(await task.value != nil) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `if all places are taken, the caller with the most reads gives one up`() async throws {
    let (reads, hold) = (LongReads(threads: 1, places: 4), Hold())
    let first = read(reads, hold, "s0", for: "stranger")
    try await eventually("the first read runs") { hold.running == ["s0"] }
    var tasks: [Task<String?, Never>] = []
    for number in 1...4 {
      tasks.append(read(reads, hold, "s\(number)", for: "stranger"))
      try await eventually("the read waits") { reads.waiting == number }
    }
    let ada = read(reads, hold, "a0", for: "ada")
    #expect(await tasks.removeLast().value == nil)
    let own = read(reads, hold, "own", for: nil)
    #expect(await tasks.removeLast().value == nil)
    // No caller has more reads than this one would have.
    let second = read(reads, hold, "a1", for: "ada")
    #expect(await second.value == nil)
    let always = read(reads, hold, "own2", for: nil)
    #expect(await tasks.removeLast().value == nil)
    hold.release(5)
    for task in [first, ada, own, always] + tasks { #expect(await task.value != nil) }
  }
}
