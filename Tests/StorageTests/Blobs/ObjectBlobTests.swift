import Bytes
import Eventually
import Foundation
import Memes
import Objects
import PostgreSQL
import SQL
import Support
import Testing

@testable import Storage

/// Pictures in an object store.
struct ObjectBlobTests {
  private let time = Timestamp(millisecondsSince1970: 5)

  private func upload(
    _ store: ObjectScratch
  ) async throws -> (upload: Upload, bytes: Bytes) {
    let bytes = Bytes("an original of 30 pixels")
    let facts = PictureFacts(
      size: PixelSize(width: 30, height: 20), format: .jpeg, byteCount: bytes.count,
      digest: sha256(bytes))
    let upload = Upload(
      id: UploadID(UUID()), picture: facts, expiresAt: Upload.expiry(madeAt: time))
    _ = try await store.uploads.insert(upload, bytes, recording: nil, at: time)
    return (upload, bytes)
  }

  private func meme(of upload: Upload) throws -> NewMeme {
    let base = try newMeme()
    let meme = Meme(
      id: base.meme.id, author: nil, visibility: .public, version: 3, createdAt: time,
      updatedAt: time, recipe: base.meme.recipe, altText: base.meme.altText,
      original: upload.picture, image: base.meme.image, tableThumbnail: base.meme.tableThumbnail,
      gridThumbnail: base.meme.gridThumbnail, fit: [])
    return NewMeme(
      meme: meme, draftDigest: base.draftDigest, original: .upload(upload.id), image: base.image,
      tableThumbnail: base.tableThumbnail, gridThumbnail: base.gridThumbnail)
  }

  @Test func `rows name objects, which are discarded with their rows`() async throws {
    try await withObjects { store in
      let new = try newMeme()
      #expect(try await store.memes.insert(new).isInserted)
      let keys = try await store.keys()
      #expect(keys.count == 4 && Set(store.objects.objects.keys) == keys)
      #expect(keys.allSatisfy { $0.text.hasPrefix("20251125/") && $0.text.count == 41 })
      for role in PictureRole.allCases {
        let found = try await store.memes.picture(role, of: new.meme.id, for: .admin)
        #expect(try await found.file.bytes() == new.bytes(of: role))
        #expect(try store.memes.file(role, of: new.meme.id, at: 3) == new.bytes(of: role))
      }
      #expect(
        try store.database.integer("SELECT count(*) FROM blobs WHERE bytes IS NOT NULL") == 0)
      try await store.memes.delete(
        new.meme.id, if: .any, by: .admin, at: time, restorable: false, recording: nil)
      #expect(try await store.keys() == [])
      #expect(try await store.discarded() == keys)
      // A reader may still have a key.
      #expect(Set(store.objects.objects.keys) == keys)
    }
  }

  @Test func `a meme of an upload or a template has a copy that the store made`() async throws {
    try await withObjects(verifying: sha256) { store in
      let (upload, bytes) = try await upload(store)
      #expect(try store.uploads.bytes(of: upload.id, at: time) == bytes)
      let new = try meme(of: upload)
      #expect(try await store.memes.insert(new).isInserted)
      #expect(store.objects.copies == 1)
      #expect(try await store.keys().count == 5)
      #expect(try await store.uploads.remove(upload.id, at: time))
      #expect(try await store.discarded().count == 1)
      #expect(
        try await store.memes.picture(.original, of: new.meme.id, for: .admin).file.bytes() == bytes
      )
      // An upload that has expired.
      let other = try meme(of: upload)
      #expect(await failure { _ = try await store.memes.insert(other) } == "invalid")
      #expect(try await store.keys().count == 4)
    }
  }

  @Test func `without the store, nothing is written and nothing is lost`() async throws {
    try await withObjects { store in
      let (new, other) = (try newMeme(), try newMeme())
      #expect(try await store.memes.insert(new).isInserted)
      store.objects.fail(with: .unavailable("down"))
      #expect(await failure { _ = try await store.memes.insert(other) } == "storageStarved")
      #expect(
        await failure {
          _ = try await store.memes.picture(.image, of: new.meme.id, for: .admin).file.bytes()
        } == "storageStarved")
      #expect(
        await failure { _ = try store.memes.file(.image, of: new.meme.id, at: 3) }
          == "storageStarved")
      // Everything else works.
      #expect(try await store.memes.meme(new.meme.id, for: .admin) == new.meme)
      #expect(
        await failure { _ = try await store.memes.meme(other.meme.id, for: .admin) } == "notFound")
      #expect(try await store.keys().count == 4)
      store.objects.fail(with: .rejected("status 403"))
      #expect(await failure { _ = try await store.memes.insert(other) } == "storage")
      store.objects.fail(with: nil)
      #expect(try await store.memes.insert(other).isInserted)
    }
  }

  @Test func `a refused or repeated request leaves no object`() async throws {
    try await withObjects { store in
      let new = try newMeme()
      let full = MemeStore(
        store.stored, limits: StorageLimits(account: 1, anonymous: 1, templates: 1))
      #expect(await failure { _ = try await full.insert(new) } == "quotaExceeded")
      try await eventually("the objects are removed") { store.objects.objects.isEmpty }
      #expect(try await store.memes.insert(new).isInserted)
      #expect(try await !store.memes.insert(new).isInserted)
      try await eventually("only those of the first request are left") {
        try await Set(store.objects.objects.keys) == store.keys()
      }
      #expect(try await store.keys().count == 4)
      #expect(try await store.discarded().isEmpty)
    }
  }

  @Test func `an object that is not what its row says is an error`() async throws {
    try await withObjects(verifying: sha256) { store in
      let (upload, bytes) = try await upload(store)
      let key = try #require(try await store.keys().first)
      let others = [
        nil, Bytes(), Bytes("shorter"), Bytes("an original of 31 pixels"),
        Bytes("an original of 30 pixels, and more"),
      ]
      for damaged in others {
        store.objects.damage(key, damaged)
        #expect(
          await failure { _ = try store.uploads.bytes(of: upload.id, at: time) } == "storage")
      }
      store.objects.damage(key, bytes)
      #expect(try store.uploads.bytes(of: upload.id, at: time) == bytes)
    }
  }

  @Test func `an edit discards the objects that it replaces`() async throws {
    try await withObjects { store in
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      let before = try await store.keys()
      let image = Bytes("another image")
      var meme = new.meme
      meme.image = PictureFacts(
        size: meme.image.size, format: .jpeg, byteCount: image.count, digest: try digest(1))
      _ = try await store.memes.replace(
        3, with: RevisedMeme(meme: meme, files: [.image: .bytes(image)]), by: .admin,
        recording: nil)
      let after = try await store.keys()
      #expect(after.count == 4 && after.intersection(before).count == 3)
      #expect(try await store.discarded() == before.subtracting(after))
      #expect(
        try await store.memes.picture(.image, of: meme.id, for: .admin).file.bytes() == image)
    }
  }

  @Test func `triggers discard the objects of renditions`() async throws {
    try await withObjects { store in
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      let derived = DerivedPictures(store.stored, capacityBytes: 1 << 20)
      let facts = PictureFacts(
        size: PixelSize(width: 160, height: 1), format: .webp, byteCount: 3, digest: try digest(9))
      let key = DerivedPictureKey(
        meme: new.meme.id, version: 3,
        derivation: Derivation(size: PixelSize(width: 160, height: 1), format: .webp))
      #expect(try await derived.keep(PictureFile(facts: facts, bytes: Bytes("abc")), as: key))
      let wish = RenditionRequest(width: try PictureWidth(pixels: 160), format: .webp)
      guard case .kept(let found) = try await derived.find(wish, of: new.meme.id, for: .admin)
      else {
        Issue.record("The rendition is not there.")
        return
      }
      #expect(try await found.file.bytes() == Bytes("abc"))
      try await store.database.writer.transaction { db in
        try db.run("DELETE FROM derived_pictures")
      }
      #expect(try await store.discarded().count == 1)
    }
  }

  @Test func `bytes that are in a row already stay there`() async throws {
    try await withObjects { store in
      let new = try newMeme()
      _ = try await MemeStore(store.database).insert(new)
      #expect(try await store.keys() == [])
      for role in PictureRole.allCases {
        #expect(
          try await store.memes.picture(role, of: new.meme.id, for: .admin).file.bytes()
            == new.bytes(of: role))
      }
      // A store without objects cannot read those of others.
      let other = try newMeme()
      _ = try await store.memes.insert(other)
      let memes = MemeStore(store.database)
      #expect(
        await failure {
          _ = try await memes.picture(.image, of: other.meme.id, for: .admin).file.bytes()
        }
          == "storage")
    }
  }
}
