import Eventually
import Foundation
import Memes
import Storage
import Synchronization
import Testing

@testable import Services

struct DeliveryLedgerTests {
  private struct Failure: Error {}

  /// Recordings, each of which waits for `open()`.
  private final class Gate: Sendable {
    let recorded = Mutex<[[Int64]]>([])
    /// The results that were added after the first.
    let added = Atomic(0)
    private let isOpen = Atomic(false)

    func open() { isOpen.store(true, ordering: .relaxed) }

    func record(_ results: [EventStore.Result]) async {
      recorded.withLock { $0.append(results.map(\.event.number)) }
      while !isOpen.load(ordering: .relaxed) { await Task.yield() }
    }
  }

  @Test
  func `while one result is being recorded, eight wait, and the next delivery waits for them`()
    async throws
  {
    let gate = Gate()
    let ledger = DeliveryLedger { results in
      await gate.record(results)
      return true
    }
    await ledger.add(try Self.result(0))
    try await eventually("the first is being recorded") { gate.recorded.withLock(\.count) == 1 }
    let adding = Task {
      for number in 1...20 {
        await ledger.add(try Self.result(Int64(number)))
        gate.added.add(1, ordering: .relaxed)
      }
    }
    try await eventually("eight wait") { gate.added.load(ordering: .relaxed) == 8 }
    for _ in 0..<1000 { await Task.yield() }
    #expect(gate.added.load(ordering: .relaxed) == 8)
    gate.open()
    try await adding.value
    #expect(try await ledger.settle())
    let recorded = gate.recorded.withLock { $0 }
    #expect(recorded.flatMap(\.self) == Array(0...20))
    #expect(recorded.allSatisfy { $0.count <= 8 })
    #expect(await ledger.delivered == 21)
  }

  @Test func `after a failed recording nothing is recorded, and the error is thrown`() async throws
  {
    let gate = Gate()
    gate.open()
    let ledger = DeliveryLedger { results in
      await gate.record(results)
      throw Failure()
    }
    await ledger.add(try Self.result(0))
    await #expect(throws: Failure.self) { try await ledger.settle() }
    #expect(await !ledger.goesOn)
    await ledger.add(try Self.result(1))
    await #expect(throws: Failure.self) { try await ledger.settle() }
    #expect(gate.recorded.withLock { $0 } == [[0]])
  }

  private static func result(_ number: Int64) throws -> EventStore.Result {
    let events = try #require(EventKinds([.memeUpdated]))
    let time = Timestamp(millisecondsSince1970: number)
    let event = Event(
      number: number, id: EventID(UUID()), kind: .memeUpdated, subject: UUID(), comment: nil,
      people: (nil, nil), isReload: false, happenedAt: time, refusals: 0,
      of: (
        MappingID(UUID()),
        Mapping.Terms(events: events, filter: Mapping.Filter(), format: .json, fields: nil)
      ))
    return EventStore.Result(
      event, DeliveryID(UUID()), .delivered,
      Delivery.Attempt(status: 200, head: nil, error: nil, milliseconds: 1, at: time))
  }
}
