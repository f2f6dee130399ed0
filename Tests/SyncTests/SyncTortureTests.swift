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
    let story = try await life.run()
    print(story)
    #expect(life.complaints.prefix(20).isEmpty, "\(story)")
  }
}
