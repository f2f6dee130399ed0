import Bytes
import Memes
import PostgreSQL
import SQL
import SQLite
import Support
import Testing

@testable import Storage

/// How derived pictures are stored. The images of these memes are JPEGs, 501 pixels wide.
struct DerivedPicturesTests {
  private func withDerived(
    capacity: Int, _ body: (Scratch, DerivedPictures, NewMeme) async throws -> Void
  ) async throws {
    try await withStore { store in
      let meme = try newMeme()
      _ = try await store.memes.insert(meme)
      try await body(store, DerivedPictures(store.database, capacityBytes: capacity), meme)
    }
  }

  private func key(_ meme: NewMeme, width: Int, version: Int = 3) -> DerivedPictureKey {
    DerivedPictureKey(
      meme: meme.meme.id, version: version,
      derivation: Derivation(size: PixelSize(width: width, height: 1), format: .webp))
  }

  private func file(width: Int, byteCount: Int = 1000) throws -> PictureFile {
    let facts = PictureFacts(
      size: PixelSize(width: width, height: 1), format: .webp, byteCount: byteCount,
      digest: try digest(9))
    return PictureFile(
      facts: facts,
      bytes: Bytes([UInt8](repeating: UInt8(truncatingIfNeeded: width), count: byteCount)))
  }

  private func isKept(
    _ derived: DerivedPictures, _ meme: NewMeme, width: Int
  ) async throws -> Bool {
    let wish = RenditionRequest(width: try PictureWidth(pixels: width), format: .webp)
    switch try await derived.find(wish, of: meme.meme.id) {
    case .image: return false
    case .missing(let missing, _):
      #expect(missing.meme == meme.meme.id && missing.version == 3)
      #expect(missing.derivation.size.width == width && missing.derivation.format == .webp)
      return false
    case .kept(let picture):
      #expect(picture.version == 3)
      #expect(picture.file.facts.size.width == width)
      #expect(try await picture.file.bytes() == (try file(width: width)).bytes)
      return true
    }
  }

  /// Compares the totals with the rows, and the rows with the bytes.
  private func expectConsistent(_ store: Scratch, capacity: Int) async throws {
    let totals = try await StoredTotals(in: store.database)
    let bytes = try store.database.integer(
      "SELECT CAST(coalesce(sum(length(bytes)), 0) AS bigint) FROM blobs JOIN derived_pictures ON blob = blobs.id"
    )
    let rows = try store.database.integer("SELECT count(*) FROM derived_pictures")
    #expect(totals.derived == rows)
    #expect(totals.derivedBytes == bytes || store.database is ObjectDatabase)
    #expect(totals.derivedBytes <= capacity)
    let orphans = try store.database.integer(
      """
      SELECT count(*) FROM blobs WHERE id NOT IN (SELECT blob FROM pictures)
        AND id NOT IN (SELECT blob FROM derived_pictures)
      """)
    #expect(orphans == 0)
  }

  @Test func `a stored picture is found again, also by another store`() async throws {
    try await withDerived(capacity: 100_000) { store, derived, meme in
      #expect(try await isKept(derived, meme, width: 100) == false)
      #expect(try await derived.keep(try file(width: 100), as: key(meme, width: 100)))
      #expect(try await derived.keep(try file(width: 100), as: key(meme, width: 100)))
      let restarted = DerivedPictures(store.database, capacityBytes: 100_000)
      for derived in [derived, restarted] {
        #expect(try await isKept(derived, meme, width: 100))
        #expect(try await isKept(derived, meme, width: 101) == false)
      }
      for wish in [
        RenditionRequest(width: nil, format: nil), RenditionRequest(width: nil, format: .jpeg),
        RenditionRequest(width: try PictureWidth(pixels: 501), format: nil),
      ] {
        guard case .image(let image) = try await derived.find(wish, of: meme.meme.id) else {
          Issue.record("The image was not found.")
          return
        }
        #expect(try await image.file.bytes() == meme.image && image.version == 3)
      }
      try await expectConsistent(store, capacity: 100_000)
    }
  }

  @Test func `the least recently used pictures are evicted, and no more than necessary`()
    async throws
  {
    try await withDerived(capacity: 8000) { store, derived, meme in
      for width in 101...108 {
        #expect(try await derived.keep(try file(width: width), as: key(meme, width: width)))
      }
      for width in [102, 101, 103, 101] {
        #expect(try await isKept(derived, meme, width: width))
      }
      for width in 109...114 {
        #expect(try await derived.keep(try file(width: width), as: key(meme, width: width)))
        try await expectConsistent(store, capacity: 8000)
      }
      // 104 to 108 were never used. Of the others, 102 was used least recently.
      var kept: [Int] = []
      for width in 101...114 where try await isKept(derived, meme, width: width) {
        kept.append(width)
      }
      #expect(kept == [101, 103, 109, 110, 111, 112, 113, 114])
    }
  }

  @Test func `the total size never exceeds the capacity`() async throws {
    try await withDerived(capacity: 20_000) { store, derived, meme in
      let other = try newMeme()
      _ = try await store.memes.insert(other)
      for number in 0..<120 {
        let (width, count) = (16 + number * 37 % 400, 1 + number * number * 131 % 2500)
        let picture = try file(width: width, byteCount: count)
        let isKept = try await derived.keep(
          picture, as: key(number % 2 == 0 ? meme : other, width: width))
        #expect(isKept == (count <= 2500))
        try await expectConsistent(store, capacity: 20_000)
      }
    }
  }

  @Test func `a picture that is too large or does not match its key is not stored`() async throws {
    try await withDerived(capacity: 8000) { store, derived, meme in
      let large = try file(width: 100, byteCount: 1001)
      #expect(try await derived.keep(large, as: key(meme, width: 100)) == false)
      #expect(try await derived.keep(try file(width: 99), as: key(meme, width: 100)) == false)
      let none = DerivedPictures(store.database, capacityBytes: 0)
      let small = try file(width: 100, byteCount: 1)
      #expect(try await none.keep(small, as: key(meme, width: 100)) == false)
      try await expectConsistent(store, capacity: 0)
    }
  }

  @Test func `a meme has at most 32 derived pictures`() async throws {
    try await withDerived(capacity: 1 << 20) { store, derived, meme in
      let other = try newMeme()
      _ = try await store.memes.insert(other)
      #expect(try await derived.keep(try file(width: 50), as: key(other, width: 50)))
      for width in 101...140 {
        #expect(try await derived.keep(try file(width: width), as: key(meme, width: width)))
      }
      #expect(try store.database.integer("SELECT count(*) FROM derived_pictures") == 33)
      #expect(try await isKept(derived, meme, width: 108) == false)
      #expect(try await isKept(derived, meme, width: 109))
      #expect(try await isKept(derived, other, width: 50))
    }
  }

  @Test(arguments: ["edit", "trash", "deletion"])
  func `derived pictures are removed with their meme`(end: String) async throws {
    try await withDerived(capacity: 100_000) { store, derived, meme in
      let (id, other) = (meme.meme.id, try newMeme())
      _ = try await store.memes.insert(other)
      for one in [meme, other] {
        #expect(try await derived.keep(try file(width: 100), as: key(one, width: 100)))
      }
      let time = Timestamp(millisecondsSince1970: 5)
      switch end {
      case "edit":
        try await store.database.writer.transaction { db in
          try db.run("UPDATE memes SET version = 4 WHERE seq = 1")
        }
      case "trash": try await store.memes.delete(id, if: .any, at: time, restorable: true)
      default: try await store.memes.delete(id, if: .any, at: time, restorable: false)
      }
      // A picture that was being made at that time comes too late.
      #expect(try await derived.keep(try file(width: 101), as: key(meme, width: 101)) == false)
      #expect(try await isKept(derived, other, width: 100))
      #expect(try await StoredTotals(in: store.database).derived == 1)
      try await expectConsistent(store, capacity: 100_000)
      if end == "trash" {
        _ = try await store.memes.restore(id, deletedAfter: Timestamp(millisecondsSince1970: 0))
        #expect(try await isKept(derived, meme, width: 100) == false)
        #expect(try await derived.keep(try file(width: 100), as: key(meme, width: 100)))
        try await store.memes.delete(id, if: .any, at: time, restorable: true)
        #expect(try await store.memes.purge(deletedUpTo: time, .standard) == [id])
        try await expectConsistent(store, capacity: 100_000)
      }
      if end != "edit" {
        let wish = RenditionRequest(width: try PictureWidth(pixels: 100), format: nil)
        #expect(
          await failure { _ = try await derived.find(wish, of: id) }
            == "gone")
      }
    }
  }

  @Test func `if the capacity shrinks, the oldest pictures are removed at start`() async throws {
    try await withDerived(capacity: 1 << 20) { store, derived, meme in
      var memes = [meme]
      for _ in 0..<2 {
        memes.append(try newMeme())
        _ = try await store.memes.insert(memes[memes.count - 1])
      }
      for width in 101...130 {
        for meme in memes {
          #expect(try await derived.keep(try file(width: width), as: key(meme, width: width)))
        }
      }
      try await DerivedPictures(store.database, capacityBytes: 7500).trim()
      try await expectConsistent(store, capacity: 7500)
      #expect(try await StoredTotals(in: store.database).derived == 7)
      #expect(try await isKept(derived, meme, width: 129))
      #expect(try await isKept(derived, meme, width: 128) == false)
      try await DerivedPictures(store.database, capacityBytes: 0).trim()
      #expect(try await StoredTotals(in: store.database).derived == 0)
    }
  }

  /// Each server records uses in its own order. Of two transactions that wait for each other, PostgreSQL ends one after
  /// a second.
  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)))
  func `two servers record uses of the same pictures without a deadlock`() async throws {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      let memes = [try newMeme(), try newMeme()]
      let derived = DerivedPictures(database, capacityBytes: 1 << 20)
      for meme in memes {
        _ = try await store.memes.insert(meme)
        #expect(try await derived.keep(try file(width: 100), as: key(meme, width: 100)))
      }
      for stop in 0... {
        let stepped = SteppedDatabase(database, after: stop)
        let gate = stepped.writer.gate
        let one = DerivedPictures(stepped, capacityBytes: 1 << 20)
        let other = DerivedPictures(database, capacityBytes: 1 << 20)
        for (server, used) in [(one, memes), (other, Array(memes.reversed()))] {
          for meme in used { #expect(try await isKept(server, meme, width: 100)) }
        }
        let width = 200 + stop
        let picture = try file(width: width)
        let keys = memes.map { key($0, width: width) }
        async let first = Self.keeping(picture, as: keys[0], in: one, gate)
        try await blocking { gate.waitForStop() }
        async let second = other.keep(picture, as: keys[1])
        // Until then, the second one has ended, or waits for the first one.
        try await Task.sleep(for: .milliseconds(100))
        gate.letGoOn()
        let kept = [try await first, try await second]
        #expect(kept == [true, true])
        guard gate.hasStopped else { break }
      }
      let deadlocks = try store.database.integer(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
      #expect(deadlocks == 0)
    }
  }

  private static func keeping(
    _ picture: PictureFile, as key: DerivedPictureKey, in derived: DerivedPictures,
    _ gate: StepGate
  ) async throws -> Bool {
    defer { gate.end() }
    return try await derived.keep(picture, as: key)
  }

  @Test func `pictures are found by key, and the oldest by its index`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plans = try await store.database.readers.read { db in
        (
          find: try db.plan(of: derivedQuery, 1, 1, "webp"),
          evict: try db.plan(of: eviction(db.dialect))
        )
      }
      #expect(
        plans.find == [
          "SEARCH derived_pictures USING PRIMARY KEY (meme=? AND width=? AND format=?)"
        ])
      #expect(
        plans.evict.contains {
          $0.hasPrefix("SCAN derived_pictures USING") && $0.contains("derived_pictures_by_use")
        }, "\(plans.evict)")
      #expect(!plans.evict.contains { $0.contains("TEMP B-TREE") }, "\(plans.evict)")
    }
  }
}
