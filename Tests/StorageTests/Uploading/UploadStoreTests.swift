import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

@Suite struct UploadStoreTests {
  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  /// Returns an upload of `byteCount` unique bytes, made at `milliseconds`.
  private func upload(
    byteCount: Int = 1000, madeAt milliseconds: Int64 = 0
  ) throws -> (upload: Upload, bytes: Bytes) {
    let id = UUID()
    let mark = withUnsafeBytes(of: id.uuid) { Array($0) }.prefix(byteCount)
    let bytes = Bytes(mark + [UInt8](repeating: 7, count: byteCount - mark.count))
    let facts = PictureFacts(
      size: PixelSize(width: 30, height: 20), format: .webp, byteCount: byteCount,
      digest: try digest(3))
    let expiry = Upload.expiry(madeAt: time(milliseconds))
    return (Upload(id: UploadID(id), picture: facts, expiresAt: expiry), bytes)
  }

  private func answer(_ upload: Upload, key: UInt8 = 1, at milliseconds: Int64 = 0) throws
    -> IdempotencyRecord
  {
    IdempotencyRecord(
      key: try retryKey(key), request: try digest(1), made: upload.id.uuid,
      response: Bytes("the answer"), at: time(milliseconds))
  }

  @Test func `an upload survives a round trip until its day is over`() async throws {
    try await withStore { store in
      let (new, bytes) = try upload(madeAt: 1000)
      #expect(try await store.uploads.insert(new, bytes, recording: nil, at: time(1000)) == nil)
      let last = new.expiresAt.millisecondsSince1970 - 1
      for moment in [0, 1000, last] {
        #expect(try await store.uploads.upload(new.id, at: time(moment)) == new)
        #expect(try store.uploads.bytes(of: new.id, at: time(moment)) == bytes)
      }
      #expect(try await store.uploads.upload(new.id, at: new.expiresAt) == nil)
      #expect(try store.uploads.bytes(of: new.id, at: new.expiresAt) == nil)
      #expect(try await store.uploads.upload(UploadID(UUID()), at: time(0)) == nil)
    }
  }

  @Test func `an upload and its response are stored together or not at all`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let (first, bytes) = try upload()
      let kept = try answer(first)
      #expect(try await store.uploads.insert(first, bytes, recording: kept, at: time(0)) == nil)
      #expect(try await store.retries.firstResponse(to: kept.key, at: time(0)) == kept)
      let (second, more) = try upload()
      let late = try answer(second)
      #expect(try await store.uploads.insert(second, more, recording: late, at: time(1)) == kept)
      #expect(try store.database.integer("SELECT count(*) FROM uploads") == 1)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 1)

      try await store.database.writer.transaction { db in
        try db.run("PRAGMA max_page_count = 30")
      }
      let (large, many) = try upload(byteCount: 2_000_000)
      let (uploads, lost) = (store.uploads, try answer(large, key: 2))
      #expect(
        await failure {
          _ = try await uploads.insert(large, many, recording: lost, at: lost.at)
        } == "storageFull")
      #expect(try store.database.integer("SELECT count(*) FROM uploads") == 1)
      #expect(try store.database.integer("SELECT count(*) FROM retries") == 1)
    }
  }

  @Test func `a meme has a copy of its upload, which outlives the upload`() async throws {
    try await withStore { store in
      let (new, bytes) = try upload()
      _ = try await store.uploads.insert(new, bytes, recording: nil, at: time(0))
      let memes = try [newMeme(of: new.id, at: 0), newMeme(of: new.id, at: 1)]
      for meme in memes { _ = try await store.memes.insert(meme) }
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 9)
      #expect(try await store.uploads.purgeUploads(expiredAt: new.expiresAt, .standard) == 1)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 8)
      for meme in memes {
        #expect(try await store.memes.picture(.original, of: meme.meme.id).file.bytes() == bytes)
      }
    }
  }

  @Test func `an upload that expires while its meme is drawn makes no meme`() async throws {
    try await withStore { store in
      let (new, bytes) = try upload()
      _ = try await store.uploads.insert(new, bytes, recording: nil, at: time(0))
      let late = try newMeme(of: new.id, at: new.expiresAt.millisecondsSince1970)
      let memes = store.memes
      #expect(
        await failure { _ = try await memes.insert(late) } == "invalid")
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 1)
    }
  }

  @Test func `expired uploads are removed oldest first, limited by number and bytes`()
    async throws
  {
    try await withStore { store in
      var ids: [UploadID] = []
      for moment in [3, 1, 2, 4, 5] as [Int64] {
        let (new, bytes) = try upload(madeAt: moment)
        _ = try await store.uploads.insert(new, bytes, recording: nil, at: time(moment))
        ids.append(new.id)
      }
      let due = Upload.expiry(madeAt: time(4))
      func left() async throws -> [Bool] {
        var left: [Bool] = []
        for id in ids { left.append(try await store.uploads.upload(id, at: time(0)) != nil) }
        return left
      }
      func purge(_ count: Int, _ bytes: Int) async throws -> Int {
        try await store.uploads.purgeUploads(
          expiredAt: due, PurgeBatch(count: count, bytes: bytes))
      }
      #expect(try await purge(1, 10_000) == 1)
      #expect(try await left() == [true, false, true, true, true])
      #expect(try await purge(9, 1) == 1)
      #expect(try await left() == [true, false, false, true, true])
      #expect(try await purge(9, 2000) == 2)
      #expect(try await purge(9, 2000) == 0)
      #expect(try await left() == [false, false, false, false, true])
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 1)
    }
  }

  @Test func `totals are updated, and no query reads the whole table`() async throws {
    try await withStore(on: [.sqlite]) { store in
      for count in [1000, 500] {
        let (new, bytes) = try upload(byteCount: count)
        _ = try await store.uploads.insert(new, bytes, recording: nil, at: time(0))
      }
      func totals() async throws -> [Int] {
        let totals = try await StoredTotals(in: store.database)
        return [totals.uploads, totals.uploadBytes, totals.pictureBytes]
      }
      #expect(try await totals() == [2, 1500, 0])
      _ = try await store.uploads.purgeUploads(
        expiredAt: Upload.expiry(madeAt: time(0)), PurgeBatch(count: 1, bytes: 1))
      #expect(try await totals() == [1, 500, 0])
      let plan = try await store.database.readers.read { db in
        try db.plan(of: UploadStore.dueQuery, 0, 1)
      }
      #expect(plan.count == 1 && plan[0].contains("uploads_expiry"), "\(plan)")
    }
  }

  /// A meme whose original is the picture of an upload.
  private func newMeme(of upload: UploadID, at milliseconds: Int64) throws -> NewMeme {
    let new = try StorageTests.newMeme(at: milliseconds)
    return NewMeme(
      meme: new.meme, draftDigest: new.draftDigest, original: .upload(upload), image: new.image,
      tableThumbnail: new.tableThumbnail, gridThumbnail: new.gridThumbnail)
  }
}
