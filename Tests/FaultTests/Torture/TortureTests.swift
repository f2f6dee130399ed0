import Testing

/// `script/torture` runs these tests for a long time. In `script/test` they are short.
@Suite(.serialized)
struct TortureTests {
  /// Each seed is the life of a data folder. With an odd seed, each kill is also a loss of power that discards unsynced
  /// writes.
  @Test(arguments: Scale.seed..<Scale.seed + Scale.lives)
  func `acknowledged data survives kill -9 at any moment under 32 clients, and nothing is partial`(
    seed: UInt64
  ) async throws {
    let life = try Life(seed: seed, executable: Scale.server)
    let story = try await life.run(rounds: Scale.rounds)
    print(story)
    #expect(life.complaints.prefix(20).isEmpty, "\(story)")
  }
}
