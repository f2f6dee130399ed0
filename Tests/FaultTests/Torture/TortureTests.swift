import Testing

/// `script/torture` runs these for long; in `script/test` they are short.
@Suite(.serialized)
struct TortureTests {
  /// Each seed is a data folder's life. An odd one loses its power with each kill, and with it what was not synced.
  @Test(arguments: Scale.seed..<Scale.seed + Scale.lives)
  func `what was acknowledged outlives kill -9 at any moment under 32 clients, and nothing is half`(
    seed: UInt64
  ) async throws {
    let life = try Life(seed: seed, executable: Scale.server)
    let story = try await life.run(rounds: Scale.rounds)
    print(story)
    #expect(life.complaints.prefix(20).isEmpty, "\(story)")
  }
}
