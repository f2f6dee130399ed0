import Bytes
import Memes
import Objects
import Storage
import Support
import Testing

/// What is read of pictures that are objects.
struct ObjectPartTests {
  /// Runs `body` with a stored meme whose image has `count` bytes.
  private func withImage(
    _ count: Int,
    _ body: (ObjectScratch, MemeID, Bytes) async throws -> Void
  ) async throws {
    try await withObjects(verifying: sha256) { store in
      let image = Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })
      let base = try newMeme()
      let meme = Meme(
        id: base.meme.id, author: nil, visibility: .public, version: 3,
        createdAt: base.meme.createdAt, updatedAt: base.meme.createdAt, recipe: base.meme.recipe,
        altText: base.meme.altText, original: base.meme.original,
        image: PictureFacts(
          size: base.meme.image.size, format: base.meme.image.format, byteCount: count,
          digest: sha256(image)),
        tableThumbnail: base.meme.tableThumbnail, gridThumbnail: base.meme.gridThumbnail, fit: [])
      let new = NewMeme(
        meme: meme, draftDigest: base.draftDigest, original: base.original, image: image,
        tableThumbnail: base.tableThumbnail, gridThumbnail: base.gridThumbnail)
      #expect(try await store.memes.insert(new).isInserted)
      try await body(store, meme.id, image)
    }
  }

  private func remote(_ store: ObjectScratch, _ id: MemeID) async throws -> any RemoteBytes {
    let file = try await store.memes.picture(.image, of: id, for: .admin).file
    guard case .remote(let bytes) = file.content else {
      throw MemeError.notFound
    }
    return bytes
  }

  @Test func `a lookup reads no object`() async throws {
    try await withImage(10) { store, id, image in
      let file = try await store.memes.picture(.image, of: id, for: .admin).file
      #expect(file.facts.byteCount == 10 && file.facts.digest == sha256(image))
      #expect(store.objects.reads == [])
      #expect(try await file.bytes() == image)
      #expect(store.objects.reads == [.whole])
    }
  }

  @Test func `of a long object, only the part is read`() async throws {
    let count = Blobs.mostReadWhole + 1
    try await withImage(count) { store, id, image in
      let bytes = try await remote(store, id)
      #expect(bytes.count == count)
      for range in [0..<1, 1000..<200_000, count - 1..<count] {
        #expect(try await bytes.bytes(in: range) == image.slice(range))
        #expect(store.objects.reads == [.part(range)])
        store.objects.forgetReads()
      }
      #expect(try await bytes.bytes(in: 0..<count) == image)
      #expect(store.objects.reads == [.whole])
    }
  }

  @Test func `a part of a short object is read with the whole, and verified`() async throws {
    let count = Blobs.mostReadWhole
    try await withImage(count) { store, id, image in
      let bytes = try await remote(store, id)
      #expect(try await bytes.bytes(in: 10..<20) == image.slice(10..<20))
      #expect(store.objects.reads == [.whole])
      // The damage is outside of the part.
      let key = try #require(store.objects.objects.first { $0.value == image }?.key)
      store.objects.damage(key, Bytes([UInt8](repeating: 7, count: count)))
      #expect(await failure { _ = try await bytes.bytes(in: 10..<20) } == "storage")
    }
  }

  @Test func `errors are those of the whole`() async throws {
    let count = Blobs.mostReadWhole + 1
    try await withImage(count) { store, id, image in
      let bytes = try await remote(store, id)
      let key = try #require(store.objects.objects.first { $0.value == image }?.key)
      for range in [10..<20, 0..<count] {
        store.objects.fail(with: .unavailable("down"))
        #expect(await failure { _ = try await bytes.bytes(in: range) } == "storageStarved")
        store.objects.fail(with: nil)
        for damaged in [nil, Bytes([1]), image.slice(0..<count - 1)] {
          store.objects.damage(key, damaged)
          #expect(await failure { _ = try await bytes.bytes(in: range) } == "storage")
        }
        store.objects.damage(key, image)
      }
      // Rows do not need the object.
      store.objects.damage(key, nil)
      #expect(
        try await store.memes.picture(.image, of: id, for: .admin).file.facts.byteCount == count)
    }
  }
}
