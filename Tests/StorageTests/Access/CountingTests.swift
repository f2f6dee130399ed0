import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// Counts for viewers with blocks from or to very many people.
struct CountingTests {
  private func counts(
    of meme: MemeID, for viewer: Principal, in store: Scratch
  ) async throws -> [Int] {
    let counts = try await store.memes.meme(meme, for: viewer).counts
    return [counts.likes, counts.comments]
  }

  @Test(arguments: [true, false])
  func `counts leave out up to a thousand blocked people, the latest ones`(
    byViewer: Bool
  ) async throws {
    for (people, left) in [(AccessPolicy.crowd, 0), (AccessPolicy.crowd + 3, 3)] {
      try await withStore { store in
        let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
        let (full, small) = (try await store.make(by: bob), try await store.make(by: bob))
        if byViewer {
          try await store.crowd(people, blockedBy: "ada")
        } else {
          try await store.crowd(people, blocking: "ada")
        }
        try await store.crowd(likes: full, comments: 1)
        for meme in [full, small] {
          try await store.like(meme, by: bob)
          try await store.comment(on: meme, by: bob)
        }
        #expect(
          try await counts(of: full, for: .person(ada.id), in: store) == [1 + left, 1 + left])
        #expect(try await counts(of: full, for: .anonymous, in: store) == [1 + people, 1 + people])
        // If few people did it, all blocked people are left out.
        try await store.database.writer.transaction { db in
          try db.run(
            """
            INSERT INTO likes (meme, user, created_at)
            SELECT (SELECT max(seq) FROM memes), seq, 0 FROM users
            WHERE username IN ('crowd_1', 'crowd_2', 'crowd_3')
            """)
        }
        #expect(try await counts(of: small, for: .person(ada.id), in: store) == [1, 1])
        #expect(try await counts(of: small, for: .anonymous, in: store) == [4, 1])
      }
    }
  }

  @Test func `people with mutual blocks are left out once, and deleted comments never count`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make(by: try await store.person("cat"))
      try await store.like(meme, by: ada)
      try await store.like(meme, by: bob)
      for _ in 0..<3 { try await store.comment(on: meme, by: bob) }
      try await store.uncomment(by: bob)
      try await store.comment(on: meme, by: ada)
      // No call can make the second block: people cannot block a person whom they cannot see.
      try await store.database.writer.transaction { db in
        try db.run(
          """
          INSERT INTO blocks (blocker, blocked, created_at)
          SELECT one.seq, other.seq, 0 FROM users AS one, users AS other
          WHERE one.username <> other.username AND 'cat' NOT IN (one.username, other.username)
          """)
      }
      #expect(try await counts(of: meme, for: .person(ada.id), in: store) == [1, 1])
      #expect(try await counts(of: meme, for: .person(bob.id), in: store) == [1, 2])
    }
  }

  @Test func `the cost of a count is bounded, however many people block the viewer`() async throws {
    var steps: [Int] = []
    for people in [2 * AccessPolicy.crowd, 6 * AccessPolicy.crowd] {
      try await withStore(on: [.sqlite]) { store in
        let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
        let meme = try await store.make(by: bob)
        try await store.crowd(people, blocking: "ada")
        try await store.crowd(likes: meme, comments: 2)
        let query = MemeStore.tableQuery[.seen, AccessPolicy(.person(ada.id)), .newest]
        steps.append(try store.steps(of: query, by: ada.id, limit: 2))
      }
    }
    #expect(steps[1] < steps[0] * 11 / 10, "\(steps)")
  }
}
