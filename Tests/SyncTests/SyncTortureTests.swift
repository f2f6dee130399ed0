import Testing
import Wire

/// `script/sync-torture` runs these tests with many more lives.
struct SyncTortureTests {
  @Test(arguments: SyncScale.seed..<SyncScale.seed + SyncScale.lives)
  func `every client ends equal to the server despite faults and kills`(seed: UInt64) async throws {
    await Slots.lives.enter()
    defer { Slots.lives.leave() }
    let life = try await SyncLife(seed: seed)
    let summary = try await life.run()
    print(summary)
    let complaints = life.complaints.prefix(20).map(\.text)
    #expect(complaints.isEmpty, "\(summary)\n\(life.tale)")
  }
}
