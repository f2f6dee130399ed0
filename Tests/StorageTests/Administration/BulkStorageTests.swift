import Memes
import Metrics
import SQL
import SQLite
import Services
import Testing

@testable import Storage

struct BulkStorageTests {
  private static let count = 2500

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  private func deleting(_ store: Scratch) -> BulkDeletion {
    let trash = Trash(days: 7)
    return BulkDeletion(
      store: store.memes, trash: trash,
      purge: TrashPurge(store: store.memes, trash: trash, now: { .now() }), now: { .now() })
  }

  @Test func `thousands are deleted in small transactions during other reads and writes`()
    async throws
  {
    try await withStore(on: [.sqlite]) { store in
      for number in 0..<Self.count {
        _ = try await store.memes.insert(newMeme(byteCount: 100, at: Int64(number)))
      }
      let filter = try #require(MemeFilter(after: time(100), before: nil))
      #expect(try await store.memes.count(filter) == Self.count - 100)
      let before = try store.sqlite.writer.meter.transactions.value

      async let deleted = deleting(store).delete(filter, by: .command)
      var (old, written): (Int, Int64) = (Self.count, 0)
      for _ in 0..<10_000 where old > 100 {
        var (listed, position): ([Int64], ListPosition?) = ([], nil)
        repeat {
          let page = try await store.memes.page(after: position, limit: 100)
          listed += page.items.map(\.createdAt.millisecondsSince1970)
          position = page.next
        } while position != nil
        #expect(Set(listed).count == listed.count)
        old = listed.count { $0 < 1_000_000 }
        // Memes that are made after the start are left alone, although the filter matches them.
        guard old < Self.count else {
          // Reads of SQLite do not suspend, and the deletion needs a thread to begin.
          await Task.yield()
          continue
        }
        written += 1
        _ = try await store.memes.insert(newMeme(byteCount: 100, at: 1_000_000 + written))
      }
      #expect(written > 0)
      #expect(try await deleted == Self.count - 100)

      let left = try await store.memes.page(after: nil, limit: 1000).items
      #expect(left.count == 100 + Int(written))
      #expect(try await StoredTotals(in: store.database).deleted == Self.count - 100)
      let transactions = try store.sqlite.writer.meter.transactions.value - before
      #expect(transactions >= (Self.count - 100) / PurgeBatch.standard.count)
      let log = try await AuditLog(store.database.readers).entries(after: nil, limit: 10).items
      #expect(log.count == 1)
      #expect(log.first?.details.contains(#""count":\#(Self.count - 100)"#) == true)
    }
  }

  @Test func `observers are notified of each meme, and a canceled run leaves whole batches`()
    async throws
  {
    try await withStore { store in
      for number in 0..<200 {
        _ = try await store.memes.insert(newMeme(byteCount: 100, at: Int64(number)))
      }
      let filter = try #require(MemeFilter(after: nil, before: time(200)))
      let deleting = deleting(store)
      let run = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await deleting.delete(filter, by: .command)
      }
      let outcome = await run.result
      #expect(throws: (any Error).self) { try outcome.get() }
      #expect(try await StoredTotals(in: store.database).deleted == PurgeBatch.standard.count)
      let log = AuditLog(store.database.readers)
      let first = try await log.entries(after: nil, limit: 1).items.first
      #expect(first?.details.contains(#""count":\#(PurgeBatch.standard.count)"#) == true)
      #expect(try await deleting.delete(filter, by: .command) == 200 - PurgeBatch.standard.count)
      #expect(try await StoredTotals(in: store.database).visible == 0)
    }
  }

  @Test(
    arguments: [
      (nil, "memes_by_time (created_at>? AND created_at<?)"),
      (.anonymous, "memes_of_nobody (created_at>? AND created_at<?)"),
      (
        .person(Username(stored: "ada")),
        "memes_of_author (author=? AND visibility=? AND deleted_at=?)"
      ),
    ] as [(MemeFilter.Author?, String)])
  func `each filter uses its index`(author: MemeFilter.Author?, index: String) async throws {
    try await withStore(on: [.sqlite]) { store in
      for number in 0..<50 {
        _ = try await store.memes.insert(newMeme(byteCount: 100, at: Int64(number)))
      }
      let filter = try #require(MemeFilter(after: time(0), before: nil, author: author))
      let plan = try await store.database.readers.read { db in
        try db.plan(of: MemeStore.bulkStatement(filter), 50, 10, 20, "ada", 1, 64)
      }
      #expect(plan.contains { $0.contains(index) }, "\(plan)")
      #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE FOR ORDER BY") })
    }
  }
}
