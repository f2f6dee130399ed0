import Support
import Testing

/// `script/torture --servers 3` runs these tests for a long time. In `script/test` they are short.
@Suite(.serialized)
struct ServersTortureTests {
  @Test(arguments: Scale.seed..<Scale.seed + Scale.serverLives)
  func `several servers lose and repeat nothing while one of them, or PostgreSQL, is killed`(
    seed: UInt64
  ) async throws {
    try await live(seed, hasObjects: Scale.hasObjects)
  }

  @Test(.enabled(if: RcloneServer.isWanted && !Scale.isLong))
  func `nothing is lost or left behind while the object store is killed too`() async throws {
    try await live(Scale.seed, hasObjects: true)
  }

  private func live(_ seed: UInt64, hasObjects: Bool) async throws {
    let life = try ServersLife(
      seed: seed, servers: Scale.servers, hasObjects: hasObjects, executable: Scale.server)
    let story = try await life.run(rounds: Scale.serverRounds)
    print(story)
    #expect(life.complaints.prefix(20).isEmpty, "\(story)")
  }
}
