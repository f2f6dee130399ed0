import Foundation
import Memes
import SQL
import SQLite
import Synchronization
import Testing

@testable import Storage

/// How likes and favorites are stored, and how they are removed with memes and people.
struct ReactionStoreTests {
  private final class Listener: ChangeObserver {
    private let changes = Mutex<[MemeChange]>([])

    var heard: [MemeChange] { changes.withLock { $0 } }

    func changed(_ change: MemeChange) { changes.withLock { $0.append(change) } }
  }

  private let time = Timestamp(millisecondsSince1970: 7)

  private func count(_ store: Scratch, _ table: String) throws -> Int? {
    try store.database.integer("SELECT count(*) FROM \(table)")
  }

  /// Whether every stored count equals the number of rows.
  private func isExact(_ store: Scratch) throws -> Bool {
    try store.database.integer(
      """
      SELECT count(*) FROM memes
      WHERE like_count <> (SELECT count(*) FROM likes WHERE meme = memes.seq)
        OR favorite_count <> (SELECT count(*) FROM favorites WHERE meme = memes.seq)
        OR comment_count <> (
          SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL)
      """) == 0
      && store.database.integer(
        """
        SELECT likes = (SELECT count(*) FROM likes)
          AND comments = (SELECT count(*) FROM comments WHERE deleted_at IS NULL)
        FROM \(store.totalsTable)
        """) == 1
  }

  /// Creates people and memes. Each person puts both reactions on each meme.
  private func marked(
    _ store: Scratch, people: Int, memes: Int
  ) async throws -> (people: [Author], memes: [MemeID]) {
    let reactions = ReactionStore(store.database)
    var (authors, ids): ([Author], [MemeID]) = ([], [])
    for number in 0..<people { authors.append(try await store.person("person\(number)")) }
    for _ in 0..<memes { ids.append(try await store.make(by: authors.first)) }
    for author in authors {
      for id in ids {
        for reaction in Reaction.allCases {
          try await reactions.put(reaction, on: id, by: .person(author.id), at: time)
        }
      }
    }
    return (authors, ids)
  }

  @Test func `reactions of a purged meme disappear at once and are deleted in batches`()
    async throws
  {
    try await withStore { store in
      let users = UserStore(store.database)
      let (people, memes) = try await marked(store, people: 5, memes: 3)
      try await store.memes.delete(memes[0], if: .any, at: time, restorable: false)
      try await store.memes.delete(memes[1], if: .any, at: time, restorable: true)
      _ = try await store.memes.purge(deletedUpTo: time, .standard)
      #expect(try count(store, "discarded_memes") == 2 && count(store, "likes") == 15)
      for person in people {
        let viewer = Principal.person(person.id)
        #expect(try await store.listed(for: viewer, .favorites, limit: 2) == [memes[2]])
        let kept = try await ReactionStore(store.database).memes(
          with: .like, by: person.id, after: nil, limit: 9)
        #expect(kept.items == [ReactedMeme(memes[2], at: time)])
      }
      var steps = 0
      while try await users.purgeDiscardedReactions(atMost: 3) > 0 {
        #expect(try isExact(store))
        steps += 1
      }
      #expect(steps >= 7)
      #expect(try count(store, "discarded_memes") == 0)
      #expect(try count(store, "likes") == 5 && count(store, "favorites") == 5)
      #expect(try store.database.integer("SELECT likes FROM \(store.totalsTable)") == 5)
      // A meme without reactions leaves nothing to discard.
      let plain = try await store.make()
      try await store.memes.delete(plain, if: .any, at: time, restorable: false)
      #expect(try count(store, "discarded_memes") == 0)
    }
  }

  @Test func `a person's reactions are removed in batches, and counts stay exact`() async throws {
    try await withStore { store in
      let listener = Listener()
      let users = UserStore(store.database, observers: [listener])
      let (people, memes) = try await marked(store, people: 3, memes: 4)
      let (one, password) = (people[1].id, HashedPassword("$person1"))
      #expect(
        try await users.withdraw(one, if: HashedPassword("$person2"), atMost: 3, at: time) == 0)
      var counts: [Int] = []
      repeat {
        counts.append(try await users.withdraw(one, if: password, atMost: 3, at: time))
        #expect(try isExact(store))
      } while counts.last != 0
      #expect(counts == [3, 3, 2, 0])
      #expect(Set(listener.heard) == Set(memes.map(MemeChange.counted)))
      #expect(try count(store, "likes") == 8 && count(store, "favorites") == 8)
      // The remaining reactions are removed with the account.
      #expect(try await users.delete(people[2].id, if: HashedPassword("$person2"), at: time))
      #expect(try isExact(store))
      #expect(try count(store, "likes") == 4 && count(store, "favorites") == 4)
      // The person's memes are removed, and so are the reactions of others on them.
      #expect(try await users.delete(people[0].id, if: HashedPassword("$person0"), at: time))
      while try await users.purgeDiscardedReactions(atMost: 3) > 0 {}
      #expect(try isExact(store))
      #expect(try count(store, "likes") == 0 && count(store, "favorites") == 0)
    }
  }

  @Test func `a person without an account cannot like a meme`() async throws {
    try await withStore { store in
      let reactions = ReactionStore(store.database)
      let (id, nobody) = (try await store.make(), UserID(UUID()))
      for viewer in [Principal.person(nobody), .anonymous, .admin] {
        #expect(
          await failure {
            try await reactions.put(.like, on: id, by: viewer, at: time)
          } == "unauthorized")
      }
      #expect(try count(store, "likes") == 0)
    }
  }

  @Test func `reactions are withdrawn and discarded by an index`() async throws {
    try await withStore { store in
      let plans: [[String]] = try await store.database.readers.read { db in
        try reactionTables.flatMap { table in
          [
            try db.plan(of: UserStore.withdrawing(table), 1, 9),
            try db.plan(of: UserStore.discarding(table), 1, 9),
          ]
        }
      }
      for plan in plans {
        #expect(
          !plan.contains { line in
            line.hasPrefix("SCAN") && !line.hasPrefix("SCAN (subquery")
              || line.contains("TEMP B-TREE")
          }, "\(plan)")
      }
    }
  }
}
