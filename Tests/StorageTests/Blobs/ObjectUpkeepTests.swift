import Bytes
import Memes
import Objects
import PostgreSQL
import SQL
import Services
import Support
import Testing

@testable import Storage

/// The mark of a bucket, and the deletion of objects.
struct ObjectUpkeepTests {
  private func marks(_ store: ObjectScratch, in objects: MemoryObjectStore? = nil) throws
    -> ObjectMark
  {
    try ObjectMark(objects ?? store.objects, store.records)
  }

  @Test func `the first start chooses the bucket`() async throws {
    try await withObjects { store in
      let mark = try marks(store)
      #expect(try await store.records.mark() == nil)
      await #expect(throws: ObjectMark.Mismatch.unused) { try await mark.check() }
      try await mark.confirm(at: store.clock.now)
      try await mark.check()
      let key = try #require(ObjectKey("mark"))
      let bytes = try #require(store.objects.objects[key])
      #expect(try await store.records.mark()?.bytes == bytes.withUnsafeBytes(Array.init))
      // Later starts.
      try await mark.confirm(at: store.clock.now)
      #expect(store.objects.objects[key] == bytes)
      // Another bucket.
      let other = MemoryObjectStore()
      await #expect(throws: ObjectMark.Mismatch.other) {
        try await marks(store, in: other).confirm(at: store.clock.now)
      }
      #expect(other.objects.isEmpty)
      try await withObjects { stranger in
        await #expect(throws: ObjectMark.Mismatch.foreign) {
          try await marks(stranger, in: store.objects).confirm(at: store.clock.now)
        }
        #expect(try await stranger.records.mark()?.isPlaced == false)
        // It may choose another one.
        try await marks(stranger).confirm(at: store.clock.now)
      }
      #expect(store.objects.objects[key] == bytes)
    }
  }

  @Test func `a first start that was interrupted begins again`() async throws {
    try await withObjects { store in
      store.objects.fail(with: .unavailable("down"))
      let mark = try marks(store)
      await #expect(throws: ObjectError.unavailable("down")) {
        try await mark.confirm(at: store.clock.now)
      }
      #expect(try await store.records.mark()?.isPlaced == false)
      store.objects.fail(with: nil)
      try await mark.confirm(at: store.clock.now)
      #expect(try await store.records.mark()?.isPlaced == true)
    }
  }

  @Test func `servers that start at once choose one mark`() async throws {
    try await withObjects { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await ObjectMark(store.objects, store.records).confirm(at: store.clock.now)
          }
        }
        try await group.waitForAll()
      }
      #expect(store.objects.objects.count == 1)
    }
  }

  @Test func `discarded objects are deleted after a grace`() async throws {
    try await withObjects { store in
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      let kept = try newMeme()
      _ = try await store.memes.insert(kept)
      try await store.memes.delete(
        new.meme.id, if: .any, by: .admin, at: store.clock.now, restorable: false, recording: nil)
      let purge = DiscardedObjectPurge(store.objects, store.records, graceSeconds: 600)
      #expect(try await purge.purge() == 0)
      #expect(store.objects.objects.count == 8)
      try await store.database.writer.transaction { db in
        try db.run("UPDATE discarded_objects SET discarded_at = discarded_at - 600000")
      }
      store.objects.fail(with: .unavailable("down"))
      await #expect(throws: ObjectError.unavailable("down")) { try await purge.purge() }
      #expect(try await store.discarded().count == 4)
      store.objects.fail(with: nil)
      // One that cannot be deleted does not hold up the others, and is tried again later.
      let held = try #require(try await store.discarded().first)
      store.objects.hold(held)
      await #expect(throws: ObjectError.rejected("status 403")) { try await purge.purge() }
      #expect(try await store.discarded() == [held])
      #expect(try await purge.purge() == 0)
      store.objects.hold(nil)
      let later = DiscardedObjectPurge(store.objects, store.records, graceSeconds: 0)
      #expect(try await later.purge() == 1)
      #expect(try await store.discarded() == [])
      #expect(Set(store.objects.objects.keys) == (try await store.keys()))
    }
  }

  @Test func `a check takes no outage for damage`() async throws {
    try await withObjects { store in
      _ = try await store.memes.insert(try newMeme())
      let check = DataCheck(
        archive: MemeArchive(store.database, store.stored.blobs), inspection: nil, digest: sha256,
        parallel: 2)
      store.objects.fail(with: .rejected("status 403"))
      await #expect(throws: ObjectError.rejected("status 403")) {
        try await check.run(report: { Issue.record("\($0)") }, progress: { _, _ in })
      }
    }
  }

  @Test func `an object that a row names is never deleted`() async throws {
    try await withObjects { store in
      _ = try await store.memes.insert(try newMeme())
      let keys = try await store.keys()
      // As by a server whose clock was days ahead, before the row was there.
      try await store.database.writer.transaction { db in
        for key in keys {
          try db.run(
            "INSERT INTO discarded_objects (object_key, discarded_at) VALUES (?, 0)", key.text)
        }
      }
      let purge = DiscardedObjectPurge(store.objects, store.records, graceSeconds: 60)
      #expect(try await purge.purge() == 0)
      #expect(Set(store.objects.objects.keys) == keys)
    }
  }

  @Test func `a clock that is ahead sweeps nothing early`() async throws {
    try await withObjects { store in
      try await marks(store).confirm(at: .now())
      let today = try await store.records.today()
      let key = today.newKey()
      try await store.objects.put(Bytes("about to be named"), at: key)
      let ahead = Timestamp(
        millisecondsSince1970: Timestamp.now().millisecondsSince1970 + 9 * 86_400_000)
      let sweep = ObjectSweep(store.objects, store.records, now: { ahead })
      #expect(try await sweep.purge() == 0)
      #expect(try await store.discarded() == [])
      #expect(try #require(try await store.records.sweptDay()) < today)
    }
  }

  @Test func `a sweep finds the objects that no row names, two days later`() async throws {
    try await withObjects { store in
      try await marks(store).confirm(at: store.clock.now)
      _ = try await store.memes.insert(try newMeme())
      // As those of a request that failed after it had put them.
      func putOrphan() async throws -> ObjectKey {
        let key = ObjectDay(store.clock.now).newKey()
        try await store.objects.put(Bytes("unnamed"), at: key)
        return key
      }
      var orphans: Set<ObjectKey> = []
      for _ in 0..<7 { orphans.insert(try await putOrphan()) }
      let sweep = ObjectSweep(store.objects, store.records, now: { store.clock.now })
      for _ in 0..<2 {
        #expect(try await sweep.purge() == 0)
        store.clock.advance(days: 1)
        // Objects of later days.
        _ = try await store.memes.insert(try newMeme())
      }
      #expect(try await sweep.purge() == 7)
      #expect(try await store.discarded() == orphans)
      #expect(try await sweep.purge() == 0)
      // No day is left out.
      _ = try await putOrphan()
      store.clock.advance(days: 9)
      #expect(try await sweep.purge() == 1)
      #expect(try await store.records.sweptDay() == ObjectDay(store.clock.now).advanced(by: -2))
    }
  }

  @Test func `a sweep that fails begins again at the same day`() async throws {
    try await withObjects { store in
      try await marks(store).confirm(at: store.clock.now)
      let before = try await store.records.sweptDay()
      store.clock.advance(days: 5)
      store.objects.fail(with: .unavailable("down"))
      let sweep = ObjectSweep(store.objects, store.records, now: { store.clock.now })
      await #expect(throws: ObjectError.unavailable("down")) { try await sweep.purge() }
      #expect(try await store.records.sweptDay() == before)
    }
  }

  @Test func `a row needs bytes or a key, and a key of its own`() async throws {
    try await withObjects { store in
      for values in ["(NULL, NULL)", "('\\x00', 'a/b')", "(NULL, 'a/c'), (NULL, 'a/c')"] {
        #expect(
          await failure {
            try await store.database.writer.transaction { db in
              _ = try db.run("INSERT INTO blobs (bytes, object_key) VALUES \(values)")
            }
          } == "storage", "\(values)")
      }
    }
  }
}
