import Bytes
import Dispatch
import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

@Suite struct RetryStorageTests {
  private static let day = StoredIdempotencyKey.lifetimeMilliseconds

  /// The response to `new`, as if both were made at `time`.
  private func answer(
    to new: NewMeme, key: UInt8 = 1, request: UInt8 = 1, text: String = "the answer",
    at time: Int64
  ) throws -> IdempotencyRecord {
    IdempotencyRecord(
      key: try retryKey(key), request: try digest(request), made: new.meme.id.uuid,
      response: Bytes(text), at: Timestamp(millisecondsSince1970: time))
  }

  @Test func `a response survives a round trip until its day is over`() async throws {
    try await withStore { store in
      let new = try newMeme(at: 1000)
      let answer = try answer(to: new, at: 1000)
      guard case .inserted = try await store.memes.insert(new, recording: answer) else {
        Issue.record("The meme was not kept.")
        return
      }
      func found(at time: Int64) async throws -> IdempotencyRecord? {
        try await store.retries.firstResponse(
          to: answer.key, at: Timestamp(millisecondsSince1970: time))
      }
      #expect(try await found(at: 1000) == answer)
      #expect(try await found(at: 999 + Self.day) == answer)
      #expect(try await found(at: 1000 + Self.day) == nil)
      // A clock that was set back loses no response.
      #expect(try await found(at: 0) == answer)
      let other = try retryKey(2)
      #expect(try await store.retries.firstResponse(to: other, at: answer.at) == nil)
    }
  }

  @Test func `a key keeps its first response, and nothing else is written`() async throws {
    try await withStore { store in
      let (first, second) = (try newMeme(at: 1000), try newMeme(at: 2000))
      let kept = try answer(to: first, at: 1000)
      _ = try await store.memes.insert(first, recording: kept)
      let late = try answer(to: second, request: 2, text: "another", at: 2000)
      guard case .answered(let found) = try await store.memes.insert(second, recording: late)
      else {
        Issue.record("The key was used twice.")
        return
      }
      #expect(found == kept)
      #expect(try await store.memes.page(after: nil, limit: 10).items.map(\.id) == [first.meme.id])
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 4)
      #expect(try store.database.integer("SELECT count(*) FROM retries") == 1)
    }
  }

  @Test func `a meme that is not stored leaves no response`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let first = try newMeme(at: 1000)
      _ = try await store.memes.insert(first)
      let same = try newMeme(id: first.meme.id.uuid, draft: 2, at: 1000)
      guard
        case .taken = try await store.memes.insert(same, recording: answer(to: same, at: 1000))
      else {
        Issue.record("The id was free.")
        return
      }
      try await store.database.writer.transaction { db in
        try db.run("PRAGMA max_page_count = 20")
      }
      let large = try newMeme(byteCount: 2_000_000, at: 1000)
      let (memes, answer) = (store.memes, try answer(to: large, at: 1000))
      #expect(
        await failure {
          _ = try await memes.insert(large, recording: answer)
        } == "storageFull")
      #expect(try store.database.integer("SELECT count(*) FROM retries") == 0)
    }
  }

  @Test func `the response of a deleted meme stays`() async throws {
    try await withStore { store in
      let new = try newMeme(at: 1000)
      let answer = try answer(to: new, at: 1000)
      _ = try await store.memes.insert(new, recording: answer)
      try await store.memes.delete(
        new.meme.id, if: .any, at: Timestamp(millisecondsSince1970: 2000), restorable: false)
      #expect(try await store.retries.firstResponse(to: answer.key, at: answer.at) == answer)
    }
  }

  @Test func `an expired key is as good as new`() async throws {
    try await withStore { store in
      // Other expired responses, so that the key's own is not among the first to be removed.
      for number in 10..<20 as Range<UInt8> {
        let old = try newMeme(at: 0)
        _ = try await store.memes.insert(old, recording: answer(to: old, key: number, at: 0))
      }
      let (first, second) = (try newMeme(at: 0), try newMeme(at: Self.day))
      _ = try await store.memes.insert(first, recording: answer(to: first, at: 0))
      let fresh = try answer(to: second, request: 2, at: Self.day)
      guard case .inserted = try await store.memes.insert(second, recording: fresh) else {
        Issue.record("The key is still taken.")
        return
      }
      #expect(try await store.retries.firstResponse(to: fresh.key, at: fresh.at) == fresh)
    }
  }

  @Test func `expired responses are removed in batches, with or without keys`() async throws {
    try await withStore { store in
      for number in 1...10 as ClosedRange<UInt8> {
        let old = try newMeme(at: Int64(number))
        _ = try await store.memes.insert(
          old, recording: answer(to: old, key: number, at: Int64(number)))
      }
      var counts: [Int?] = []
      for _ in 1...4 {
        // The ninth and the tenth have not expired yet.
        _ = try await store.memes.insert(try newMeme(at: 8 + Self.day))
        counts.append(try store.database.integer("SELECT count(*) FROM retries"))
      }
      #expect(counts == [6, 2, 2, 2])
    }
  }

  @Test func `expired responses are removed without requests`() async throws {
    try await withStore { store in
      for number in 1...10 as ClosedRange<UInt8> {
        let old = try newMeme(at: Int64(number))
        _ = try await store.memes.insert(
          old, recording: answer(to: old, key: number, at: Int64(number)))
      }
      // The ninth and the tenth have not expired yet.
      let time = Timestamp(millisecondsSince1970: 8 + Self.day)
      #expect(try await store.retries.purgeResponses(at: time) == 8)
      #expect(try await store.retries.purgeResponses(at: time) == 0)
      #expect(try store.database.integer("SELECT count(*) FROM retries") == 2)
    }
  }

  @Test func `a request does not wait for another one that removes expired responses`() async throws
  {
    try await withStore(on: [.postgreSQL]) { store in
      for number in 1...3 as ClosedRange<UInt8> {
        let old = try newMeme(at: 0)
        _ = try await store.memes.insert(old, recording: answer(to: old, key: number, at: 0))
      }
      // Another request has removed them, and not ended yet.
      let (removed, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let other: Void = store.database.writer.transaction { db in
        try db.run(removalOfExpiredRecords(.postgreSQL), Self.day, nil as [UInt8]?)
        removed.signal()
        mayEnd.wait()
      }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          removed.wait()
          continuation.resume()
        }
      }
      do {
        defer { mayEnd.signal() }
        let new = try newMeme(at: Self.day)
        _ = try await store.memes.insert(new, recording: answer(to: new, key: 9, at: Self.day))
      }
      try await other
      #expect(try store.database.integer("SELECT count(*) FROM retries") == 1)
    }
  }

  @Test func `neither finding nor removing responses reads the whole table`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plan = try await store.database.readers.read { db in
        try db.plan(of: removalOfExpiredRecords(.sqlite), 0, [0] as [UInt8])
      }
      #expect(!plan.isEmpty)
      // The only scan reads the four oldest.
      #expect(plan.filter { $0.contains("SCAN") } == ["SCAN retries", "SCAN oldest"], "\(plan)")
      #expect(plan.contains { $0.contains("(key=?)") }, "\(plan)")
    }
  }
}
