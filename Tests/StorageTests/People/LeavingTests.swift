import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// What remains of a deleted account.
struct LeavingTests {
  private let time = Timestamp(millisecondsSince1970: 5)

  private func count(_ store: Scratch, _ table: String) throws -> Int? {
    try store.database.integer("SELECT count(*) FROM \(table)")
  }

  @Test func `rows are deleted at once, and bytes in batches`() async throws {
    try await withStore { store in
      let users = UserStore(store.database)
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      for number in 0..<20 {
        _ = try await store.make(Visibility.allCases[number % 3], by: ada)
      }
      let trashed = try await store.make(by: ada)
      try await store.memes.delete(trashed, if: .any, at: time, restorable: true)
      let bobs = try await store.make(by: bob)
      var done = try await users.delete(ada.id, if: HashedPassword("$bob"), at: time)
      #expect(!done)
      #expect(try count(store, "memes") == 22)
      done = try await users.delete(ada.id, if: HashedPassword("$ada"), at: time)
      #expect(done)
      #expect(try await store.listed(for: .admin, limit: 100) == [bobs])
      #expect(try count(store, "memes") == 1)
      #expect(try count(store, "deleted_memes") == 21)
      #expect(
        try store.database.integer("SELECT count(*) FROM deleted_memes WHERE author IS NULL") == 21)
      #expect(try count(store, "blobs") == 4 * 22)
      #expect(try count(store, "discarded_blobs") == 4 * 21)

      let batch = PurgeBatch(count: 10, bytes: 3000)
      var steps = 0
      while case let removed = try await users.purgeDiscarded(batch), removed > 0 {
        #expect(removed <= 10)
        steps += 1
      }
      #expect(steps >= 9)
      #expect(try count(store, "blobs") == 4 && count(store, "discarded_blobs") == 0)
      #expect(
        try store.database.integer("SELECT picture_bytes FROM \(store.totalsTable)")
          == store.database.integer("SELECT CAST(sum(byte_count) AS bigint) FROM pictures"))
    }
  }

  @Test func `follows and memes are removed in batches before the account`() async throws {
    try await withStore { store in
      let (users, relations) = (UserStore(store.database), RelationStore(store.database))
      let (ada, password) = (try await store.person("ada"), HashedPassword("$ada"))
      for number in 0..<4 {
        let other = try await store.person("person\(number)")
        try await relations.follow(ada.username, by: other.id, at: time)
        if number < 3 { try await relations.follow(other.username, by: ada.id, at: time) }
      }
      for _ in 0..<3 { _ = try await store.make(by: ada) }
      let wrong = HashedPassword("$person1")
      #expect(try await users.withdraw(ada.id, if: wrong, atMost: 5, at: time) == 0)
      var counts: [Int] = []
      repeat {
        counts.append(try await users.withdraw(ada.id, if: password, atMost: 5, at: time))
        let wrong = try store.database.integer(
          """
          SELECT count(*) FROM users
          WHERE followers <> (SELECT count(*) FROM follows WHERE followed = users.seq)
            OR following <> (SELECT count(*) FROM follows WHERE follower = users.seq)
          """)
        #expect(wrong == 0)
      } while counts.last != 0
      // Five follows, two of them, and a fifth as many memes.
      #expect(counts == [5, 2, 1, 1, 1, 0])
      #expect(try count(store, "deleted_memes") == 3 && count(store, "meme_words") == 0)
      #expect(try count(store, "discarded_blobs") == 4 * 3)
      #expect(try await users.delete(ada.id, if: password, at: time))
      #expect(try count(store, "users") == 4)
    }
  }

  @Test func `between the batches, the account syncs what is deleted and what is left`()
    async throws
  {
    try await withStore { store in
      let users = UserStore(store.database)
      let ada = try await store.person("ada")
      for _ in 0..<2 { _ = try await store.make(by: ada) }
      let viewer = Principal.person(ada.id)
      let before = try await store.memes.changes(of: viewer, since: nil, limit: 10)
      #expect(before.changes.count == 2)
      // The process may end after any batch. The account then stays.
      #expect(
        try await users.withdraw(ada.id, if: HashedPassword("$ada"), atMost: 5, at: time) == 1)
      let all = try await store.memes.changes(of: viewer, since: nil, limit: 10)
      #expect(all.changes.count == 1)
      let new = try await store.memes.changes(of: viewer, since: before.end, limit: 10)
      #expect(new.changes.count == 1)
      guard case .delete(let id, at: time)? = new.changes.first?.state else {
        Issue.record("There is no deletion.")
        return
      }
      guard case .upsert(let left)? = all.changes.first?.state else {
        Issue.record("No meme is left.")
        return
      }
      #expect(left.id != id)
    }
  }

  @Test func `the first batch of an admin's deletion is recorded, also if no other follows`()
    async throws
  {
    try await withStore { store in
      let users = UserStore(store.database)
      let ada = try await store.person("ada")
      for _ in 0..<2 { _ = try await store.make(by: ada) }
      let entry = AuditEntry(at: time, .command, .deletePerson, "ada")
      let removed = try await users.withdraw(
        ada.id, if: nil, atMost: 5, at: time, by: .command, recording: entry)
      #expect(removed == 1)
      #expect(try count(store, "memes") == 1)
      let log = try await AuditLog(store.database.readers).entries(after: nil, limit: 10)
      #expect(log.items.map(\.act) == ["delete-person"])
    }
  }

  @Test func `an admin who lost the role removes nothing more`() async throws {
    try await withStore { store in
      let users = UserStore(store.database)
      let (ada, chief) = (try await store.person("ada"), try await store.person("chief"))
      for _ in 0..<2 { _ = try await store.make(by: ada) }
      let authority = try #require(
        Authority(.administrator(chief.id), request: "a request"))
      func setRole(_ role: Role) async throws {
        try await store.database.writer.transaction { db in
          try db.run("UPDATE users SET role = ? WHERE id = ?", role.number, chief.id.bytes)
        }
      }
      func withdraw() async throws -> Int {
        try await users.withdraw(ada.id, if: nil, atMost: 5, at: time, by: authority)
      }
      try await setRole(.admin)
      #expect(try await withdraw() == 1)
      try await setRole(.member)
      #expect(await failure { _ = try await withdraw() } == "forbidden")
      let entry = AuditEntry(at: time, authority, .deletePerson, "ada")
      #expect(
        await failure {
          _ = try await users.withdraw(
            ada.id, if: nil, atMost: 5, at: time, by: authority, recording: entry)
        } == "forbidden")
      #expect(
        await failure { _ = try await users.delete(ada.id, if: nil, at: time, by: authority) }
          == "forbidden")
      #expect(try count(store, "memes") == 1 && count(store, "audit") == 0)
    }
  }

  @Test func `deleting an account scans no table`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plans = try await store.database.readers.read { db in
        [
          try db.plan(of: RelationStore.endFollows, 1, 2),
          try db.plan(of: UserStore.unfollowing("follower"), 1, 2),
          try db.plan(of: UserStore.unfollowing("followed"), 1, 2),
        ]
      }
      #expect(!plans.joined().contains { $0.contains("SCAN") }, "\(plans)")
      for table in ["memes", "templates", "uploads", "deleted_memes"] {
        let plan = try await store.database.readers.read { db in
          try db.plan(of: "SELECT * FROM \(table) WHERE author = ?", 1)
        }
        #expect(plan == ["SEARCH \(table) USING INDEX \(table)_of_author (author=?)"])
      }
    }
  }

  @Test func `a deleted account cannot create anything`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      _ = try await UserStore(store.database).delete(
        ada.id, if: HashedPassword("$ada"), at: time)
      let (memes, relations) = (store.memes, RelationStore(store.database))
      let new = try newMeme(by: ada)
      #expect(
        await failure { _ = try await memes.insert(new) } == "unauthorized")
      let name = try await store.person("bob").username
      #expect(
        await failure {
          try await relations.follow(name, by: ada.id, at: time)
        } == "unauthorized")
      #expect(try count(store, "blobs") == 0)
    }
  }

  @Test func `a person cannot follow more people than the limit`() async throws {
    try await withStore { store in
      let relations = RelationStore(store.database)
      let ada = try await store.person("ada")
      var others: [Username] = []
      for number in 0..<3 { others.append(try await store.person("person\(number)").username) }
      // As if ada followed all but two of the maximum number of people.
      try await store.database.writer.transaction { db in
        try db.run(
          "UPDATE users SET following = ? WHERE id = ?", RelationStore.maximumFollowed - 2,
          ada.id.bytes)
      }
      for name in others.prefix(2) {
        try await relations.follow(name, by: ada.id, at: time)
      }
      // Following the same person again does not count.
      try await relations.follow(others[0], by: ada.id, at: time)
      let last = others[2]
      #expect(
        await failure {
          try await relations.follow(last, by: ada.id, at: time)
        } == "invalid")
      try await relations.unfollow(others[0], by: ada.id)
      try await relations.follow(last, by: ada.id, at: time)
    }
  }

  @Test func `an edit or a deletion by a former owner is rejected`() async throws {
    try await withStore { store in
      let (ada, memes) = (try await store.person("ada"), store.memes)
      let new = try newMeme()
      _ = try await memes.insert(new)
      let id = new.meme.id
      let holder = Principal.deleteTokenHolder(of: .meme(id))
      #expect(holder.owns(try await memes.meme(id, for: holder)))
      _ = try await memes.claim(id, for: ada.id)
      let revised = RevisedMeme(meme: new.meme, files: [:])
      for refused in [holder, .anonymous, .person(UserID(UUID()))] {
        let expected = refused.isSignedIn ? "forbidden" : "unauthorized"
        #expect(
          await failure {
            _ = try await memes.replace(3, with: revised, by: refused, recording: nil)
          } == expected)
        #expect(
          await failure {
            try await memes.delete(
              id, if: .any, by: refused, at: time, restorable: true, recording: nil)
          } == expected)
        #expect(
          await failure {
            _ = try await memes.picture(.original, of: id, for: refused)
          } == "notFound")
      }
      _ = try await memes.picture(.original, of: id, for: .person(ada.id))
      try await memes.delete(
        id, if: .any, by: .person(ada.id), at: time, restorable: true, recording: nil)
    }
  }
}
