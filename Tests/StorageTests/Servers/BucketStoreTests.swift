import Bytes
import Crypto
import Memes
import SQL
import Testing

@testable import Storage

/// Token buckets in a PostgreSQL database.
@Suite struct BucketStoreTests {
  private let small = SharedBucket(
    name: "wrong-password ada", rate: Rate(burst: 3, interval: .seconds(3600)))
  private let site = SharedBucket(
    name: "wrong-password site", rate: Rate(burst: 5, interval: .seconds(3600)))
  private let other = SharedBucket(
    name: "wrong-password bob", rate: Rate(burst: 3, interval: .seconds(3600)))

  private func withBuckets(
    _ body: @escaping @Sendable (BucketStore, Scratch) async throws -> Void
  ) async throws {
    guard Engine.tested.contains(.postgreSQL) else { return }
    try await withStore(on: [.postgreSQL]) { store in
      let seal: Digester = { bytes in Digest { $0.copyBytes(from: SHA256.digest(of: bytes)) } }
      try await body(BucketStore(store.database, seal: seal), store)
    }
  }

  @Test func `a call takes from all of its buckets, or from none`() async throws {
    try await withBuckets { buckets, _ in
      for count in 1...3 {
        let taking = try await buckets.take([small, site])
        #expect(taking.isAllowed)
        let full = try #require(taking.untilFull.first)
        // The clock of the database runs on.
        #expect(full <= .seconds(3600 * count) && full > .seconds(3600 * count - 600))
      }
      let rejected = try await buckets.take([small, site])
      #expect(!rejected.isAllowed && rejected.untilFull.count == 2)
      #expect(try #require(rejected.untilFull.last) <= .seconds(3600 * 3))
      // Two tokens are left to the site: the rejected call took none.
      #expect(try await buckets.take([other, site]).isAllowed)
      #expect(try await buckets.take([other, site]).isAllowed)
      #expect(try await !buckets.take([other, site]).isAllowed)
      // The bucket of this caller still has the token that the site refused.
      #expect(try await buckets.take([other]).isAllowed)
      #expect(try await !buckets.take([other]).isAllowed)

      try await buckets.giveBack([small, site])
      #expect(try await buckets.take([small, site]).isAllowed)
      #expect(try await !buckets.take([small, site]).isAllowed)
      try await buckets.forget([small])
      #expect(try await buckets.take([small]).untilFull.allSatisfy { $0 <= .seconds(3600) })
    }
  }

  @Test func `calls at the same moment cannot take more than a bucket has`() async throws {
    try await withBuckets { buckets, _ in
      let allowed = try await withThrowingTaskGroup { group in
        for number in 0..<20 {
          group.addTask {
            try await buckets.take([number.isMultiple(of: 2) ? small : other, site]).isAllowed
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(allowed == 5)
    }
  }

  @Test func `a bucket is full after the clock of the database was set back`() async throws {
    try await withBuckets { buckets, store in
      for _ in 1...3 { _ = try await buckets.take([small, site]) }
      #expect(try await !buckets.take([small, site]).isAllowed)
      try await store.database.writer.transaction { db in
        try db.run("UPDATE buckets SET full_at = full_at + 30 * 86400 * 1000000::bigint")
      }
      let taking = try await buckets.take([small, site])
      #expect(taking.isAllowed)
      #expect(taking.untilFull.allSatisfy { $0 <= .seconds(3600) && $0 > .seconds(3000) })
      #expect(try await buckets.take([small]).isAllowed)
      #expect(try await buckets.take([small]).isAllowed)
      #expect(try await !buckets.take([small]).isAllowed)
    }
  }

  @Test func `the table shows no names, and full buckets are deleted`() async throws {
    try await withBuckets { buckets, store in
      _ = try await buckets.take([small])
      _ = try await buckets.take([
        SharedBucket(name: "soon", rate: Rate(burst: 1, interval: .microseconds(1)))
      ])
      let sealed = SHA256.digest(of: Bytes(small.name))
      #expect(try store.database.integer("SELECT count(*) FROM buckets") == 2)
      try await ServerStore(store.database).forgetFullBuckets()
      let left: [[UInt8]] = try store.database.readers.blockingRead { db in
        try db.column("SELECT bucket FROM buckets")
      }
      #expect(left == [Array(sealed)])
    }
  }
}
