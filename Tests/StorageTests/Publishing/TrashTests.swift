import Bytes
import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Services
import Support
import Synchronization
import Testing

@testable import Storage

@Suite struct TrashTests {
  @Test func `a trashed meme is gone from every query, and its id is in use`() async throws {
    try await withStore { store in
      let (memes, kept, new) = (store.memes, try newMeme(), try newMeme())
      let id = new.meme.id
      for meme in [new, kept] { _ = try await memes.insert(meme) }
      try await memes.delete(id, if: .any, at: time(5), restorable: true)

      #expect(await failure { _ = try await memes.meme(id) } == "gone")
      for role in PictureRole.allCases {
        #expect(
          await failure { _ = try await memes.picture(role, of: id) }
            == "gone")
      }
      #expect(
        await failure { _ = try await memes.draftDigest(of: id) } == "gone")
      #expect(await failure { _ = try await memes.insert(new) } == "gone")
      #expect(
        await failure {
          try await memes.delete(id, if: .any, at: time(6), restorable: true)
        } == "gone")
      #expect(try await memes.page(after: nil, limit: 10).items == [kept.meme])
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 8)
      #expect(try store.database.integer("SELECT max(deleted_at) FROM memes") == 5)
    }
  }

  @Test func `a restored meme is unchanged and at its old position`() async throws {
    try await withStore { store in
      let memes = store.memes
      let new = try (0..<5).map { _ in try newMeme() }
      for meme in new { _ = try await memes.insert(meme) }
      let middle = new[2].meme
      try await memes.delete(middle.id, if: .any, at: time(5), restorable: true)
      let first = try await memes.page(after: nil, limit: 2)
      #expect(try await memes.restore(middle.id, deletedAfter: time(4)) == middle)
      let rest = try await memes.page(after: first.next, limit: 5)
      #expect(first.items + rest.items == new.reversed().map(\.meme))
      #expect(
        try await memes.picture(.original, of: middle.id).file.bytes()
          == new[2].bytes(of: .original))
      guard case .taken = try await memes.insert(new[2]) else {
        Issue.record("The id was free.")
        return
      }
    }
  }

  @Test func `restoring twice is restoring once, and unknown memes are not found`() async throws {
    try await withStore { store in
      let (memes, new) = (store.memes, try newMeme())
      _ = try await memes.insert(new)
      for _ in 0..<2 {
        #expect(try await memes.restore(new.meme.id, deletedAfter: time(0)) == new.meme)
      }
      #expect(
        await failure {
          _ = try await memes.restore(MemeID(UUID()), deletedAfter: time(0))
        } == "notFound")
    }
  }

  @Test func `a meme past its time in the trash is gone, purged or not`() async throws {
    try await withStore { store in
      let (memes, new) = (store.memes, try newMeme())
      let id = new.meme.id
      _ = try await memes.insert(new)
      try await memes.delete(id, if: .any, at: time(5), restorable: true)
      #expect(try await memes.purge(deletedUpTo: time(4), .standard).isEmpty)
      for purges in [false, true] {
        if purges { #expect(try await memes.purge(deletedUpTo: time(5), .standard) == [id]) }
        #expect(
          await failure {
            _ = try await memes.restore(id, deletedAfter: time(5))
          } == "gone")
      }
      #expect(await failure { _ = try await memes.insert(new) } == "gone")
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM pictures") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 0)
      #expect(try store.database.integer("SELECT deleted_at FROM deleted_memes") == 5)
    }
  }

  @Test func `a purge goes oldest first, in batches limited by number and bytes`() async throws {
    try await withStore { store in
      let memes = store.memes
      var ids: [MemeID] = []
      for age in 0..<7 {
        // One meme is as large as three batches.
        let new = try newMeme(byteCount: age == 3 ? 30_000 : 1000)
        _ = try await memes.insert(new)
        try await memes.delete(new.meme.id, if: .any, at: time(7 - age), restorable: true)
        ids.insert(new.meme.id, at: 0)
      }
      var batches: [[MemeID]] = []
      repeat {
        let purged = try await memes.purge(
          deletedUpTo: time(6), PurgeBatch(count: 2, bytes: 10_000))
        batches.append(purged)
      } while batches.last?.isEmpty == false
      let expected = [ids[0...1], ids[2...2], ids[3...3], ids[4...5], []].map { Array($0) }
      #expect(batches == expected)
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 1)
    }
  }

  @Test func `a full purge leaves memes that are not due and can be cancelled`() async throws {
    try await withStore { store in
      let memes = store.memes
      let day: Int64 = 86_400_000
      for age: Int64 in [1, 2, 3, 4] {
        let new = try newMeme()
        _ = try await memes.insert(new)
        try await memes.delete(new.meme.id, if: .any, at: time(Int(-age * day)), restorable: true)
      }
      func purging(days: Int) -> TrashPurge {
        TrashPurge(
          store: memes, trash: Trash(days: days), batch: PurgeBatch(count: 1, bytes: 1),
          now: { time(0) })
      }
      let cancelled = Task {
        await Task.yield()
        withUnsafeCurrentTask { $0?.cancel() }
        return try await purging(days: 0).purge()
      }
      #expect(try await cancelled.value == 0)
      #expect(try await purging(days: 3).purge() == 2)
      #expect(try await purging(days: 3).purge() == 0)
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 2)
      #expect(try await purging(days: 0).purge() == 2)
    }
  }

  @Test func `new uploads reuse the space of purged memes`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let memes = store.memes
      var pages: [Int] = []
      for _ in 0..<3 {
        var ids: [MemeID] = []
        for _ in 0..<10 {
          let new = try newMeme(byteCount: 200_000)
          _ = try await memes.insert(new)
          ids.append(new.meme.id)
        }
        for id in ids { try await memes.delete(id, if: .any, at: time(0), restorable: true) }
        while try await memes.purge(deletedUpTo: time(0), .standard).isEmpty == false {}
        pages.append(try #require(try store.database.integer("PRAGMA page_count")))
      }
      #expect(pages[2] <= pages[0] + 2, "\(pages)")
    }
  }

  @Test func `a meme can be purged among other people's deletions and uploads`() async throws {
    try await withStore { store in
      let memes = store.memes
      let old = try (0..<20).map { _ in try newMeme() }
      for new in old {
        _ = try await memes.insert(new)
        try await memes.delete(new.meme.id, if: .any, at: time(0), restorable: true)
      }
      async let purged = TrashPurge(
        store: memes, trash: Trash(days: 0), batch: PurgeBatch(count: 1, bytes: 1),
        now: { time(0) }
      ).purge()
      for _ in 0..<10 { _ = try await memes.insert(try newMeme()) }
      #expect(try await purged == 20)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 40)
    }
  }

  /// It has locked none of them, and two servers that purge the same memes would end in a deadlock.
  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)))
  func `a server that waited for the purge of another one does not take its next memes`()
    async throws
  {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      let (one, other) = (try await store.make(), try await store.make())
      for (number, id) in [one, other].enumerated() {
        try await store.memes.delete(id, if: .any, at: time(number), restorable: true)
      }
      // Stops after it has read its locked memes.
      let stepped = SteppedDatabase(database, after: 4)
      let gate = stepped.writer.gate
      async let first = Self.purging(stepped, gate)
      try await blocking { gate.waitForStop() }
      #expect(gate.hasStopped)
      async let second = MemeStore(database).purge(deletedUpTo: time(5), Self.single)
      try await store.waitForLock()
      gate.letGoOn()
      let purged = [try await first, try await second]
      #expect(purged == [[one], []])
      #expect(try await store.memes.purge(deletedUpTo: time(5), Self.single) == [other])
    }
  }

  private static let single = PurgeBatch(count: 1, bytes: 1 << 20)

  private static func purging(
    _ database: SteppedDatabase, _ gate: StepGate
  ) async throws -> [MemeID] {
    defer { gate.end() }
    return try await MemeStore(database).purge(deletedUpTo: time(5), single)
  }

  @Test func `trash, restore and purge use their indexes and sort nothing`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plans = try await store.database.readers.read { db in
        (
          due: try db.plan(of: MemeStore.dueQuery, 1, 1),
          one: try db.plan(of: visibleMemeQuery[AccessPolicy(.anonymous)], 0, [1] as [UInt8])
        )
      }
      #expect(
        plans.due == [
          "SEARCH memes USING INDEX memes_trash (deleted_at<?)", "CORRELATED SCALAR SUBQUERY 1",
          "SEARCH pictures USING PRIMARY KEY (meme=?)",
        ])
      let byID = "SEARCH memes USING INDEX sqlite_autoindex_memes_1 (id=?)"
      #expect(plans.one.first == byID)
    }
  }
}

private func time(_ milliseconds: Int) -> Timestamp {
  Timestamp(millisecondsSince1970: Int64(milliseconds))
}
