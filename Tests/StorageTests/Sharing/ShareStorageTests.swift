import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Storage
import Testing

struct ShareStorageTests {
  private let time = Timestamp(millisecondsSince1970: 5)

  @Test func `a share and its response are stored together or not at all`() async throws {
    try await withStore { store in
      let id = MemeID(UUID())
      let answer = IdempotencyRecord(
        key: try retryKey(1), request: try digest(1), made: id.uuid, response: Bytes("counted"),
        at: time)
      func count(of id: MemeID) async throws -> IdempotencyRecord? {
        try await store.memes.countShare(of: id, on: .x, recording: answer, at: time)
      }
      #expect(
        await failure { _ = try await count(of: id) } == "notFound")
      #expect(try await store.retries.firstResponse(to: answer.key, at: time) == nil)
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      #expect(try await count(of: new.meme.id) == nil)
      #expect(try await store.retries.firstResponse(to: answer.key, at: time) == answer)
      #expect(try await count(of: new.meme.id) == answer)
      #expect(try await store.memes.meme(new.meme.id).counts.shares == 1)
      #expect(try store.database.integer("SELECT CAST(sum(count) AS bigint) FROM shares") == 1)
    }
  }

  @Test func `shares are counted for their meme only, in every view, and by channel`() async throws
  {
    try await withStore { store in
      let (shared, other) = (try newMeme(), try newMeme())
      _ = try await store.memes.insert(shared)
      _ = try await store.memes.insert(other)
      for channel in [ShareChannel.x, .link, .x] {
        try await store.memes.countShare(of: shared.meme.id, on: channel)
      }
      #expect(try await store.memes.meme(shared.meme.id).counts.shares == 3)
      #expect(
        try await store.memes.page(after: nil, limit: 9).items.map(\.counts.shares) == [0, 3])
      #expect(
        try await store.memes.tableRows(after: nil, limit: 9).items.map(\.counts.shares) == [0, 3])
      #expect(try store.database.integer("SELECT count FROM shares WHERE channel = 'x'") == 2)
      #expect(try store.database.integer("SELECT count FROM shares WHERE channel = 'link'") == 1)
      #expect(try store.database.integer("SELECT count(*) FROM shares") == 2)
    }
  }

  @Test func `concurrent shares are all counted`() async throws {
    try await withStore { store in
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      try await withThrowingTaskGroup { group in
        for channel in ShareChannel.allCases {
          for _ in 0..<8 {
            group.addTask { try await store.memes.countShare(of: new.meme.id, on: channel) }
          }
        }
        try await group.waitForAll()
      }
      let all = 8 * ShareChannel.allCases.count
      #expect(try await store.memes.meme(new.meme.id).counts.shares == all)
      #expect(try store.database.integer("SELECT CAST(sum(count) AS bigint) FROM shares") == all)
    }
  }

  @Test func `an edit keeps the count, including shares during the edit`() async throws {
    try await withStore { store in
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      let before = try await store.memes.meme(new.meme.id)
      try await store.memes.countShare(of: new.meme.id, on: .x)
      let after = try await store.memes.replace(
        before.version, with: RevisedMeme(meme: before, files: [:]))
      #expect(after.counts.shares == 1)
      #expect(try await store.memes.meme(new.meme.id) == after)
    }
  }

  @Test func `unknown memes have no shares, and restored ones keep their count`() async throws {
    try await withStore { store in
      let new = try newMeme()
      let id = new.meme.id
      #expect(
        await failure {
          try await store.memes.countShare(of: MemeID(UUID()), on: .x)
        } == "notFound")
      _ = try await store.memes.insert(new)
      try await store.memes.countShare(of: id, on: .sms)
      try await store.memes.delete(id, if: .any, at: time, restorable: true)
      #expect(
        await failure { try await store.memes.countShare(of: id, on: .x) }
          == "gone")
      let restored = try await store.memes.restore(
        id, deletedAfter: Timestamp(millisecondsSince1970: 0))
      #expect(restored.counts.shares == 1)
      try await store.memes.delete(id, if: .any, at: time, restorable: false)
      #expect(
        await failure { try await store.memes.countShare(of: id, on: .x) }
          == "gone")
      #expect(try store.database.integer("SELECT count(*) FROM shares") == 0)
    }
  }
}

extension MemeStore {
  /// Counts a share without a key.
  fileprivate func countShare(of id: MemeID, on channel: ShareChannel) async throws {
    let first = try await countShare(
      of: id, on: channel, recording: nil, at: Timestamp(millisecondsSince1970: 0))
    #expect(first == nil)
  }
}
