import Foundation
import Memes
import SQL
import SQLite
import Services
import Testing

@testable import Storage

/// The records of deleted memes, and how long they are kept.
struct TombstoneTests {
  private func time(_ day: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: day * 86_400_000)
  }

  private func delete(_ id: MemeID, on day: Int64, _ store: Scratch) async throws {
    try await store.memes.delete(id, if: .any, at: time(day), restorable: true)
  }

  private func prune(_ store: Scratch, on day: Int64) async throws -> Int {
    try await TombstonePurge(store: store.memes, days: 30, now: { time(day) }).purge()
  }

  private func expired(_ position: SyncPosition, _ person: Author, _ store: Scratch) async -> Bool {
    await failure {
      _ = try await store.memes.changes(of: .person(person.id), since: position, limit: 1)
    } == "cursorExpired"
  }

  @Test func `a cursor expires only if a deletion after it is forgotten`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let viewer = Principal.person(ada.id)
      let (one, two) = (try await store.make(by: ada), try await store.make(by: ada))
      let bobs = try await store.make(by: bob)
      let before = try await store.memes.changes(of: viewer, since: nil, limit: 10).end
      try await delete(one, on: 1, store)
      let between = try await store.memes.changes(of: viewer, since: before, limit: 10).end
      try await delete(bobs, on: 1, store)
      let beforeBobs = try await store.memes.newestPosition(of: bob.id)
      // The meme may still be restored.
      #expect(try await prune(store, on: 40) == 0)
      _ = try await store.memes.purge(deletedUpTo: time(33), .standard)
      #expect(try await prune(store, on: 30) == 0)
      #expect(await !expired(before, ada, store))
      #expect(try await prune(store, on: 31) == 2)
      #expect(await expired(before, ada, store))
      #expect(await !expired(between, ada, store))
      #expect(await !expired(beforeBobs, bob, store))
      // A client that begins now never had the meme, even if its position is an older one.
      let start = try await store.memes.changes(of: viewer, since: nil, limit: 1)
      #expect(start.changes.map(\.id) == [two] && !start.hasMore)
      #expect(start.end.number < between.number)
      #expect(await !expired(start.end, ada, store))
      // A meme that exists is not a deletion.
      try await store.edit(two, by: viewer)
      #expect(try await prune(store, on: 999) == 0)
      #expect(await !expired(between, ada, store))
    }
  }

  @Test func `an id is in use until it is forgotten, with or without an author`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      for author in [ada, nil] {
        let new = try newMeme(by: author)
        let viewer = author.map { Principal.person($0.id) } ?? .anonymous
        _ = try await store.memes.insert(new)
        try await delete(new.meme.id, on: 1, store)
        func insertion() async -> String {
          await failure { _ = try await store.memes.insert(new) }
        }
        func reading() async -> String {
          await failure {
            _ = try await store.memes.meme(new.meme.id, for: viewer)
          }
        }
        #expect(await insertion() == "gone")
        _ = try await store.memes.purge(deletedUpTo: time(8), .standard)
        for answer in [await insertion(), await reading()] { #expect(answer == "gone") }
        #expect(try await prune(store, on: 31) == 1)
        #expect(await reading() == "notFound")
        #expect(await insertion() == "none")
        #expect(await reading() == "none")
        // The same happens again.
        try await delete(new.meme.id, on: 41, store)
        _ = try await store.memes.purge(deletedUpTo: time(41), .standard)
        #expect(await insertion() == "gone")
        #expect(try await prune(store, on: 71) == 1)
      }
      #expect(try store.database.integer("SELECT count(*) FROM deleted_memes") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM changes") == 0)
    }
  }

  @Test func `old deletions are forgotten in batches, the oldest first`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      var ids: [MemeID] = []
      for day in 1...7 {
        ids.append(try await store.make(by: ada))
        try await delete(ids[day - 1], on: Int64(day), store)
      }
      _ = try await store.memes.purge(deletedUpTo: time(7), .standard)
      var left = 7
      for _ in 0..<3 {
        left -= try await store.memes.pruneTombstones(deletedUpTo: time(5), atMost: 2)
        #expect(try store.database.integer("SELECT count(*) FROM changes") == left)
        #expect(
          try store.database.integer("SELECT min(deleted_at) FROM deleted_memes")
            == (8 - left) * 86_400_000)
      }
      #expect(left == 2)
      let plan = try await store.database.readers.read { db in
        try db.plan(of: MemeStore.pruneStatement, 1, 1)
      }
      #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }

  @Test func `the deletions of a deleted account are forgotten too`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let id = try await store.make(by: ada)
      _ = try await UserStore(store.database).delete(
        ada.id, if: HashedPassword("$ada"), at: time(1))
      #expect(try await prune(store, on: 30) == 0)
      #expect(try await prune(store, on: 31) == 1)
      #expect(
        await failure { _ = try await store.memes.meme(id) } == "notFound")
    }
  }
}
