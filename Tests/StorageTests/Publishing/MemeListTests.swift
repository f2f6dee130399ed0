import Foundation
import Memes
import SQLite
import Testing

@testable import Storage

@Suite struct MemeListTests {
  @Test func `pages are newest first, and the last one says so`() async throws {
    try await withStore { store in
      var ids: [MemeID] = []
      for _ in 0..<7 {
        let new = try newMeme()
        _ = try await store.memes.insert(new)
        ids.insert(new.meme.id, at: 0)
      }
      let first = try await store.memes.page(after: nil, limit: 3)
      let second = try await store.memes.page(after: first.next, limit: 4)
      #expect((first.memes + second.memes).map(\.id) == ids)
      #expect(second.next == nil)
      #expect(try await store.memes.page(after: nil, limit: 8).next == nil)
    }
  }

  @Test func `an empty store has one empty page`() async throws {
    try await withStore { store in
      let page = try await store.memes.page(after: nil, limit: 30)
      #expect(page.memes.isEmpty)
      #expect(page.next == nil)
    }
  }

  @Test func `nothing is listed twice or skipped while memes come and go`() async throws {
    try await withStore { store in
      let time = Timestamp(millisecondsSince1970: 0)
      var ids: [MemeID] = []
      for _ in 0..<30 {
        let new = try newMeme()
        _ = try await store.memes.insert(new)
        ids.insert(new.meme.id, at: 0)
      }
      var (listed, deleted): ([MemeID], Set<MemeID>) = ([], [])
      var position: ListPosition?
      repeat {
        let page = try await store.memes.page(after: position, limit: 4)
        listed += page.memes.map(\.id)
        position = page.next
        // The meme that the position points at, one that comes next, and a new one at the top.
        let last = try #require(page.memes.last?.id)
        let next = ids.firstIndex(of: last).map { $0 + 2 } ?? 0
        for id in [last] + ids.dropFirst(next).prefix(1) {
          try await store.memes.delete(id, if: .any, at: time, restorable: false)
          if !listed.contains(id) { deleted.insert(id) }
        }
        _ = try await store.memes.insert(try newMeme())
      } while position != nil
      #expect(listed == ids.filter { !deleted.contains($0) })
    }
  }

  @Test func `the query of a page goes down the index of what is not deleted, and sorts nothing`()
    async throws
  {
    try await withStore { store in
      let plan = try store.database.readers.read { db throws(SQLiteError) in
        try db.plan(of: SQLiteMemes.pageQuery, 100, 31)
      }
      #expect(
        plan == ["SEARCH memes USING INDEX memes_listed (seq<?)"]
          + ["a", "b", "c", "d"].map { "SEARCH \($0) USING PRIMARY KEY (meme=? AND role=?)" })
    }
  }
}
