import Foundation
import Support
import Testing

/// `script/torture` runs these for long; in `script/test` they are short.
@Suite(.serialized)
struct TortureTests {
  private static let variables = ProcessInfo.processInfo.environment

  /// Each seed is a data folder's life. An odd one loses its power with each kill, and with it what was not synced.
  private static let seeds: [UInt64] = {
    let first = variables["TORTURE_SEED"].flatMap { UInt64($0) } ?? 20_240
    let lives = variables["TORTURE_LIVES"].flatMap { UInt64($0) } ?? 2
    return Array(first..<first + lives)
  }()

  private static let rounds = variables["TORTURE_ROUNDS"].flatMap { Int($0) } ?? 5

  @Test(arguments: seeds)
  func `what was acknowledged outlives kill -9 at any moment under 32 clients, and nothing is half`(
    seed: UInt64
  ) async throws {
    let life = try Life(
      seed: seed, executable: Self.variables["TORTURE_SERVER"].map { URL(filePath: $0) })
    let story = try await life.run(rounds: Self.rounds)
    print(story)
    #expect(life.complaints.prefix(20).isEmpty, "\(story)")
  }
}
