import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

@Suite struct MemeListTests {
  @Test func `pages are newest first, and the last one has no next position`() async throws {
    try await withStore { store in
      var ids: [MemeID] = []
      for _ in 0..<7 {
        let new = try newMeme()
        _ = try await store.memes.insert(new)
        ids.insert(new.meme.id, at: 0)
      }
      let first = try await store.memes.page(after: nil, limit: 3)
      let second = try await store.memes.page(after: first.next, limit: 4)
      #expect((first.items + second.items).map(\.id) == ids)
      #expect(second.next == nil)
      #expect(try await store.memes.page(after: nil, limit: 8).next == nil)
    }
  }

  @Test func `an empty store has one empty page`() async throws {
    try await withStore { store in
      let page = try await store.memes.page(after: nil, limit: 30)
      #expect(page.items.isEmpty)
      #expect(page.next == nil)
    }
  }

  @Test func `no meme is listed twice or skipped during changes`() async throws {
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
        listed += page.items.map(\.id)
        position = page.next
        // The meme at the position, a later meme, and a new one at the top.
        let last = try #require(page.items.last?.id)
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

  @Test func `rows and cells show the same memes and lead to the same positions`() async throws {
    try await withStore { store in
      for _ in 0..<5 { _ = try await store.memes.insert(try newMeme()) }
      let first = try await store.memes.page(after: nil, limit: 2)
      for (start, limit) in [(nil, 2), (first.next, 2), (first.next, 3), (nil, 0), (nil, 9)] {
        let page = try await store.memes.page(after: start, limit: limit)
        let rows = try await store.memes.tableRows(after: start, limit: limit)
        let cells = try await store.memes.gridCells(after: start, limit: limit)
        #expect(rows.next == page.next && cells.next == page.next)
        #expect(
          rows.items
            == page.items.map {
              TableRow(
                id: $0.id, version: $0.version, createdAt: $0.createdAt,
                top: $0.recipe.top, bottom: $0.recipe.bottom,
                firstBox: $0.recipe.captions.first?.text,
                altText: $0.altText, thumbnail: $0.tableThumbnail.size)
            })
        #expect(
          cells.items
            == page.items.map {
              GridCell(
                id: $0.id, version: $0.version, altText: $0.altText,
                thumbnail: $0.gridThumbnail.size)
            })
      }
    }
  }

  @Test func `a damaged fit is an error only where it is shown`() async throws {
    try await withStore { store in
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      try await store.database.writer.transaction { db in
        _ = try db.run("UPDATE memes SET fit = '[{\"position\":\"top\"}]'")
      }
      let (memes, id) = (store.memes, new.meme.id)
      #expect(
        await failure { _ = try await memes.page(after: nil, limit: 1) }
          == "storage")
      #expect(await failure { _ = try await memes.meme(id) } == "storage")
      #expect(try await memes.tableRows(after: nil, limit: 1).items.map(\.id) == [id])
      #expect(try await memes.gridCells(after: nil, limit: 1).items.map(\.id) == [id])
    }
  }
}
