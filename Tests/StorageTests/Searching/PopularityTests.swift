import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// The column `popularity`, which SQLite generates and triggers of PostgreSQL compute.
struct PopularityTests {
  @Test func `each number of likes moves a meme by the same time on both engines`() async throws {
    let counts =
      (0...70).map(Int64.init)
      + (6...21).flatMap { (power: Int) in [-2, -1, 0, 1].map { (1 << power) + Int64($0) } }
      + [Int64(Int32.max), 1 << 60]
    try await withStore(on: [.sqlite, .postgreSQL]) { store in
      let id = try await store.make()
      let found = try await store.database.writer.transaction { db in
        let created: Int64? = try db.value("SELECT created_at FROM memes WHERE id = ?", id.bytes)
        let base: Int64? = try db.value("SELECT popularity FROM memes WHERE id = ?", id.bytes)
        #expect(base == created)
        return try counts.map { count in
          try db.run("UPDATE memes SET like_count = ? WHERE id = ?", count, id.bytes)
          let moved: Int64? = try db.value("SELECT popularity FROM memes WHERE id = ?", id.bytes)
          return (moved ?? 0) - (created ?? 0)
        }
      }
      let expected = counts.map { count in
        let votes = 1 + min(count, (1 << 20) - 1)
        let doublings = votes.bitWidth - 1 - votes.leadingZeroBitCount
        let rest = votes - (1 << doublings)
        return Int64(doublings) * 43_200_000 + rest * 43_200_000 / (1 << doublings)
      }
      #expect(found == expected)
    }
  }
}
