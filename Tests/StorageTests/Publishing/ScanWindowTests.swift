import Foundation
import Memes
import SQL
import SQLite
import Support
import Testing

@testable import Storage

/// Lists with very many rows to skip.
struct ScanWindowTests {
  /// More than two scan windows.
  private static let hidden = 2 * ScanWindow.rows + 500

  private let time = Timestamp(millisecondsSince1970: 0)

  private func flood(_ store: Scratch, by author: Author) async throws {
    try await store.database.writer.transaction { db in
      try db.run(
        """
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
        INSERT INTO memes (
          id, author, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit, draft_digest
        )
        SELECT randomblob(16), (SELECT seq FROM users WHERE id = ?1),
          1, 5, 5, 'top', '', 'alt', 255, 0, 0.11, 0.14, '[]', zeroblob(32) FROM n
        """, author.id.bytes, Self.hidden)
    }
  }

  /// The ids of each page.
  private func pages(
    _ store: Scratch, for viewer: Principal, _ scope: MemeListing.Scope = .everybodys
  ) async throws -> [[MemeID]] {
    var (pages, position): ([[MemeID]], ListPosition?) = ([], nil)
    repeat {
      let page = try await store.memes.gridCells(
        MemeListing(for: viewer, scope, after: position, limit: 3))
      pages.append(page.items.map(\.id))
      position = page.next
    } while position != nil
    return pages
  }

  /// For a viewer who follows many people, a table scan comes before the scan windows.
  @Test(arguments: [true, false], [0, ScanWindow.rows / 2, 2 * ScanWindow.rows])
  func `a flood by a blocked person is skipped one scan window at a time`(
    byViewer: Bool, followed: Int
  ) async throws {
    try await withStore { store in
      let relations = RelationStore(store.database)
      let (ada, bob, cleo) = (
        try await store.person("ada"), try await store.person("bob"), try await store.person("cleo")
      )
      for (one, other) in [(ada, cleo), (cleo, ada)] {
        try await relations.follow(other.username, by: one.id, at: time)
      }
      try await store.crowd(followed, followedBy: "ada")
      var expected = [
        try await store.make(.private, by: ada), try await store.make(.public, by: cleo),
        try await store.make(.friends, by: cleo), try await store.make(),
      ]
      try await flood(store, by: bob)
      expected += [
        try await store.make(.friends, by: cleo), try await store.make(.private, by: ada),
      ]
      try await flood(store, by: bob)
      expected.append(try await store.make(.public, by: cleo))
      let (blocker, blocked) = byViewer ? (ada, bob) : (bob, ada)
      try await relations.block(blocked.username, by: blocker.id, at: time)

      let found = try await pages(store, for: .person(ada.id))
      #expect(found.flatMap(\.self) == expected.reversed())
      #expect(found.contains([]) == (followed + ScanWindow.rows < Self.hidden))
      #expect(found.count <= 2 * Self.hidden / ScanWindow.rows + 2)
    }
  }

  @Test func `without blocks no window ends, and nothing is scanned to find that`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let ada = try await store.person("ada")
      for _ in 0..<2 { try await flood(store, by: ada) }
      let query = try #require(MemeSelection.seen.stretch(.newest)).query
      let end: Int64? = try await store.database.readers.read { db in
        try db.first(query, ada.id.bytes, Int64.max) { row in try row[0] }
      }
      #expect(end == nil)
      let rows = """
        SELECT count(*) FROM memes INDEXED BY memes_public
        WHERE deleted_at IS NULL AND visibility = 0 AND ?1 IS NOT NULL AND seq < ?2
        """
      let walking = try store.steps(of: rows, by: ada.id)
      #expect(walking > 2 * Self.hidden)
      #expect(try store.steps(of: query, by: ada.id) < walking / 20)
    }
  }

  @Test func `private memes with a tag change nothing in its public list`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let memes = [try await store.make(.public, by: ada), try await store.make(.public, by: ada)]
      try await flood(store, by: try await store.person("bob"))
      try await store.database.writer.transaction { db in
        try db.run("UPDATE memes SET visibility = 2 WHERE created_at = 5")
        try db.run("INSERT INTO meme_tags (tag, meme) SELECT 'cat', seq FROM memes")
      }
      let cats = MemeListing.Scope.tagged(try Memes.Tag("cat"))
      #expect(try await pages(store, for: .anonymous, cats) == [memes.reversed()])
      let found = try await pages(store, for: .person(ada.id), cats)
      #expect(found.flatMap(\.self) == memes.reversed())
    }
  }

  @Test func `favorites that became hidden are skipped one scan window at a time`() async throws {
    try await withStore { store in
      let reactions = ReactionStore(store.database)
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let (old, new) = (try await store.make(by: bob), try await store.make(by: bob))
      try await reactions.put(.favorite, on: old, by: .person(ada.id), at: time)
      try await flood(store, by: bob)
      try await store.database.writer.transaction { db in
        try db.run(
          """
          INSERT INTO favorites (meme, user, created_at)
          SELECT seq, (SELECT seq FROM users WHERE id = ?1), 0 FROM memes WHERE created_at = 5
          """, ada.id.bytes)
        try db.run("UPDATE memes SET deleted_at = 5 WHERE created_at = 5")
      }
      try await reactions.put(.favorite, on: new, by: .person(ada.id), at: time)
      #expect(try await pages(store, for: .person(ada.id), .favorites) == [[new], [], [old]])
    }
  }

  @Test func `blocked people in a list of likes are skipped one scan window at a time`()
    async throws
  {
    try await withStore { store in
      let reactions = ReactionStore(store.database)
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make(by: bob)
      try await reactions.put(.like, on: meme, by: .person(bob.id), at: time)
      try await store.crowd(Self.hidden, blockedBy: "ada")
      try await store.database.writer.transaction { db in
        try db.run(
          """
          INSERT INTO likes (meme, user, created_at)
          SELECT (SELECT seq FROM memes), seq, 0 FROM users WHERE username LIKE 'crowd%'
          """)
      }
      try await reactions.put(.like, on: meme, by: .person(ada.id), at: time)
      var (names, position): ([[String]], ListPosition?) = ([], nil)
      repeat {
        let page = try await reactions.likers(
          of: meme, for: .person(ada.id), after: position, limit: 10)
        names.append(page.items.map(\.user.username.text))
        position = page.next
      } while position != nil
      #expect(names == [["ada"], [], ["bob"]])
      // The list leaves out all of them, a count only `AccessPolicy.crowd`.
      #expect(
        try await store.memes.meme(meme, for: .person(ada.id)).counts.likes
          == Self.hidden + 2 - AccessPolicy.crowd)
      #expect(
        try await store.memes.meme(meme, for: .anonymous).counts.likes == Self.hidden + 2)
    }
  }

  @Test func `blocked followers are skipped one scan window at a time`() async throws {
    try await withStore { store in
      let relations = RelationStore(store.database)
      let (ada, bob, cleo) = (
        try await store.person("ada"), try await store.person("bob"), try await store.person("cleo")
      )
      try await relations.follow(ada.username, by: bob.id, at: time)
      try await store.crowd(Self.hidden, blockedBy: "cleo")
      try await store.database.writer.transaction { db in
        try db.run(
          """
          INSERT INTO follows (follower, followed, created_at)
          SELECT seq, (SELECT seq FROM users WHERE username = 'ada'), 0 FROM users
          WHERE username LIKE 'crowd%'
          """)
      }
      var (names, counts, position): ([String], [Int], ListPosition?) = ([], [], nil)
      repeat {
        let page = try await relations.page(
          of: .followers(of: ada.username), for: .person(cleo.id), after: position, limit: 10)
        names += page.items.map(\.user.username.text)
        counts.append(page.items.count)
        position = page.next
      } while position != nil
      #expect(names == ["bob"])
      #expect(counts == [0, 0, 1])
      let full = try await relations.page(
        of: .followers(of: ada.username), for: .person(bob.id), after: nil, limit: 10)
      #expect(full.items.count == 10)
    }
  }
}
