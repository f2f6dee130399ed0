import Foundation
import Memes
import SQL
import SQLite
import Services
import Testing

@testable import Storage

/// What counts as a change of a person's memes, and the order of the changes.
struct ChangeSequenceTests {
  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  @Test func `every edit of an owned meme is a change, also by others`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let (viewer, memes) = (Principal.person(ada.id), store.memes)
      var copy = try await store.followed(ada)
      let (one, other) = (try await store.make(by: ada), try await store.make(.private, by: ada))
      try await copy.expect(["upsert \(one) 3", "upsert \(other) 3"])

      try await store.edit(one, .friends, by: viewer)
      try await copy.expect(["upsert \(one) 4"])
      try await store.edit(one, by: .admin)
      try await copy.expect(["upsert \(one) 5"])

      try await memes.delete(
        one, if: .any, by: viewer, at: time(7), restorable: true, recording: nil)
      try await copy.expect(["delete \(one) 7"])
      // An admin's deletion after the owner's changes nothing for clients.
      try await memes.delete(one, if: .any, at: time(8), restorable: true)
      try await copy.expect([])
      _ = try await memes.restore(one, deletedAfter: time(0))
      try await copy.expect(["upsert \(one) 5"])
      try await memes.delete(other, if: .any, at: time(9), restorable: false)
      try await copy.expect(["delete \(other) 9"])

      let trash = Trash(days: 7)
      let deleting = BulkDeletion(
        store: memes, trash: trash,
        purge: TrashPurge(store: memes, trash: trash, now: { time(10) }),
        now: { time(10) })
      _ = try await deleting.delete(
        try #require(MemeFilter(author: .person(ada.username))), by: .command)
      try await copy.expect(["delete \(one) 10"])
      // A reported change stays as it is.
      _ = try await memes.purge(deletedUpTo: time(10), .standard)
      try await copy.expect([])

      let nobodys = try await store.make()
      try await copy.expect([])
      _ = try await memes.claim(nobodys, for: ada.id)
      try await copy.expect(["upsert \(nobodys) 3"])
      _ = try await memes.claim(nobodys, for: ada.id)
      try await copy.expect([])
    }
  }

  @Test func `counts are not changes, and memes without an owner have none`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make(by: ada)
      var copy = try await store.followed(ada)
      try await copy.expect(["upsert \(meme) 3"])
      try await store.like(meme, by: bob)
      try await store.comment(on: meme, by: bob)
      _ = try await store.memes.countShare(of: meme, on: .link, recording: nil, at: time(1))
      let rows = try store.database.integer("SELECT CAST(sum(last_change) AS bigint) FROM users")
      for id in [try await store.make(), try await store.make()] {
        try await store.memes.delete(id, if: .any, at: time(1), restorable: true)
        _ = try await store.memes.restore(id, deletedAfter: time(0))
      }
      try await copy.expect([])
      #expect(
        try store.database.integer("SELECT CAST(sum(last_change) AS bigint) FROM users") == rows)
    }
  }

  @Test func `a deleted account loses its changes, and no number is reused`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      var copy = try await store.followed(bob)
      let first = try await store.make(by: bob)
      for _ in 0..<3 { _ = try await store.make(by: ada) }
      try await store.memes.delete(
        try await store.make(by: ada), if: .any, at: time(1), restorable: true)
      try await copy.expect(["upsert \(first) 3"])
      _ = try await UserStore(store.database).delete(
        ada.id, if: HashedPassword("$ada"), at: time(5))
      #expect(try store.database.integer("SELECT count(*) FROM changes") == 1)
      let second = try await store.make(by: bob)
      try await copy.expect(["upsert \(second) 3"])
      #expect(
        await failure {
          _ = try await store.memes.changes(of: .person(ada.id), since: nil, limit: 1)
        } == "unauthorized")
    }
  }

  @Test func `the cost of a page does not depend on earlier deletions or on others`() async throws {
    var steps: [Int] = []
    for count in [50, 500] {
      try await withStore(on: [.sqlite]) { store in
        let ada = try await store.person("ada")
        try await store.database.writer.transaction { db in
          for number in 1...count {
            try db.run(
              """
              INSERT INTO changes (author, number, meme, deleted_at)
              VALUES (1, ?1, randomblob(16), 1), (2, 2 * ?1, randomblob(16), NULL),
                (2, 2 * ?1 + 1, randomblob(16), 1)
              """, number)
          }
          try db.run("UPDATE users SET last_change = ?", 2 * count + 1)
        }
        for _ in 0..<40 { _ = try await store.make(by: ada) }
        // Like a client that begins without a cursor.
        let query = MemeStore.changesQuery
          .replacing("number > ?2", with: "number > 0")
          .replacing("number > ?3", with: "number > (SELECT max(last_change) FROM users)")
          .replacing("LIMIT ?4", with: "LIMIT ?3")
        steps.append(try store.steps(of: query, by: ada.id, limit: 31))
      }
    }
    #expect(steps[1] <= steps[0] + 100, "\(steps)")
  }
}
