import Testing
import Wire

/// `script/sync-torture` runs these for long.
struct SyncTortureTests {
  @Test(arguments: SyncScale.seed..<SyncScale.seed + SyncScale.lives)
  func
    `whatever the network does and whoever is killed when, every client ends equal to the server`(
      seed: UInt64
    ) async throws
  {
    await Slots.lives.enter()
    defer { Slots.lives.leave() }
    let life = try await SyncLife(seed: seed)
    let summary = try await life.run()
    print(summary)
    let complaints = life.complaints.prefix(20).map(\.text)
    #expect(complaints.isEmpty, "\(summary)\n\(life.tale)")
  }
}
