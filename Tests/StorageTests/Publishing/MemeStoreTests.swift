import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

@Suite struct MemeStoreTests {
  @Test(arguments: [100, 1000, 2_000_000])
  func `a meme and its files survive a round trip`(byteCount: Int) async throws {
    try await withStore { store in
      let fit = [
        CaptionFit(
          position: .top, fontSize: 71.3, lines: 2, shrunk: true, truncated: false,
          missingGlyphs: ["\"", "\u{E000}"]),
        CaptionFit(
          position: .bottom, fontSize: 0.1, lines: 0, shrunk: false, truncated: true,
          missingGlyphs: []),
      ]
      let new = try newMeme(byteCount: byteCount, fit: fit)
      guard case .inserted = try await store.memes.insert(new) else {
        Issue.record("The id is taken.")
        return
      }
      #expect(try await store.memes.meme(new.meme.id) == new.meme)
      #expect(try await store.memes.draftDigest(of: new.meme.id) == new.draftDigest)
      for role in PictureRole.allCases {
        let picture = try await store.memes.picture(role, of: new.meme.id)
        let file = picture.file
        #expect(picture.version == 3)
        #expect(file.facts == new.meme.facts(of: role))
        #expect(try await file.bytes() == new.bytes(of: role))
      }
    }
  }

  @Test func `an unread picture is described like the picture, without its bytes`() async throws {
    try await withStore { store in
      let new = try newMeme()
      let (id, memes) = (new.meme.id, store.memes)
      #expect(try await memes.insert(new).isInserted)
      for role in PictureRole.allCases {
        let whole = try await memes.picture(role, of: id, for: .admin)
        let unread = try await memes.unreadPicture(role, of: id, version: 3, for: .admin)
        #expect(unread.file.facts == whole.file.facts)
        #expect(unread.version == whole.version && unread.visibility == whole.visibility)
        #expect(await failure { _ = try await unread.file.bytes() } == "storage")
        #expect(
          await failure { _ = try await memes.unreadPicture(role, of: id, version: 2, for: .admin) }
            == "superseded")
      }
      #expect(
        await failure { _ = try await memes.unreadPicture(.original, of: id, for: .anonymous) }
          == "notFound")
    }
  }

  @Test func `an id in use keeps its meme and returns its draft digest`() async throws {
    try await withStore { store in
      let first = try newMeme(draft: 1)
      let second = try newMeme(id: first.meme.id.uuid, byteCount: 5000, draft: 2)
      _ = try await store.memes.insert(first)
      guard case .taken(let digest) = try await store.memes.insert(second) else {
        Issue.record("The id was free.")
        return
      }
      #expect(digest == first.draftDigest)
      #expect(try await store.memes.meme(first.meme.id) == first.meme)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 4)
    }
  }

  @Test func `an unknown meme is not found`() async throws {
    try await withStore { store in
      let id = MemeID(UUID())
      let memes = store.memes
      let time = Timestamp(millisecondsSince1970: 0)
      #expect(await failure { _ = try await memes.meme(id) } == "notFound")
      #expect(
        await failure { _ = try await memes.picture(.image, of: id) }
          == "notFound")
      #expect(
        await failure {
          try await memes.delete(id, if: .any, at: time, restorable: false)
        } == "notFound"
      )
      let draft = try await memes.draftDigest(of: id)
      #expect(draft == nil)
    }
  }

  @Test func `a deletion for another version writes nothing`() async throws {
    try await withStore { store in
      let new = try newMeme()
      let (memes, id) = (store.memes, new.meme.id)
      let time = Timestamp(millisecondsSince1970: 5)
      _ = try await memes.insert(new)
      for versions in [[], [2], [1, 2, 4]] as [Set<Int>] {
        let failure = await failure {
          try await memes.delete(id, if: .oneOf(versions), at: time, restorable: true)
        }
        #expect(failure == "versionMismatch")
      }
      #expect(try await memes.meme(id) == new.meme)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 4)
      try await memes.delete(id, if: .oneOf([1, 3]), at: time, restorable: false)
      #expect(
        await failure {
          try await memes.delete(id, if: .oneOf([1]), at: time, restorable: false)
        } == "gone")
    }
  }

  @Test func `a deleted meme is gone for good, and only its id is kept`() async throws {
    try await withStore { store in
      let (kept, new) = (try newMeme(), try newMeme())
      let (memes, id) = (store.memes, new.meme.id)
      let time = Timestamp(millisecondsSince1970: 5)
      _ = try await memes.insert(kept)
      _ = try await memes.insert(new)
      try await memes.delete(id, if: .any, at: time, restorable: false)

      #expect(await failure { _ = try await memes.meme(id) } == "gone")
      #expect(
        await failure { _ = try await memes.picture(.original, of: id) }
          == "gone")
      #expect(
        await failure { _ = try await memes.draftDigest(of: id) } == "gone")
      #expect(
        await failure {
          try await memes.delete(id, if: .any, at: time, restorable: false)
        } == "gone")
      #expect(await failure { _ = try await memes.insert(new) } == "gone")
      #expect(try await memes.page(after: nil, limit: 10).items == [kept.meme])
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 1)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 4)
      #expect(try store.database.integer("SELECT deleted_at FROM deleted_memes") == 5)
    }
  }

  @Test func `space of deleted memes is reused, and their bytes are overwritten`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let time = Timestamp(millisecondsSince1970: 0)
      var sizes: [Int?] = []
      let marked = try newMeme(byteCount: 400_000)
      for round in 0..<8 {
        let new = round == 0 ? marked : try newMeme(byteCount: 400_000)
        _ = try await store.memes.insert(new)
        try await store.memes.delete(new.meme.id, if: .any, at: time, restorable: false)
        sizes.append(try store.database.integer("PRAGMA page_count"))
      }
      #expect(sizes.allSatisfy { $0 == sizes[0] }, "\(sizes)")
      try await store.sqlite.close()
      let file = try Data(contentsOf: URL(filePath: store.folder.database))
      let content = marked.bytes(of: .original).withUnsafeBytes { Data($0.prefix(64)) }
      #expect(file.range(of: content) == nil)
    }
  }

  @Test func `an acknowledged insert is in a copy made right after`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let new = try newMeme(byteCount: 300_000)
      _ = try await store.memes.insert(new)
      // The files as after a crash: not closed, and without a checkpoint.
      try await withScratchFolder { path in
        let folder = try DataFolder(path: path)
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(
            atPath: store.folder.database + suffix, toPath: folder.database + suffix)
        }
        let database = try MemeDatabase.open(in: folder, migrations: migrations)
        let memes = MemeStore(database)
        #expect(try await memes.meme(new.meme.id) == new.meme)
        #expect(
          try await memes.picture(.original, of: new.meme.id).file.bytes()
            == new.bytes(of: .original)
        )
        let integrity: String? = try await database.readers.read { db in
          try db.value("PRAGMA integrity_check")
        }
        #expect(integrity == "ok")
        await database.close()
      }
    }
  }

  @Test func `a health check changes nothing`() async throws {
    try await withStore(on: [.sqlite]) { store in
      try await store.memes.checkHealth()
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 0)
      try await store.sqlite.close()
      let memes = store.memes
      #expect(await failure { try await memes.checkHealth() } == "storage")
    }
  }

  @Test func `a full disk is reported as such and leaves nothing behind`() async throws {
    try await withStore(on: [.sqlite]) { store in
      try await store.database.writer.transaction { db in
        try db.run("PRAGMA max_page_count = 20")
      }
      let (memes, new) = (store.memes, try newMeme(byteCount: 2_000_000))
      #expect(
        await failure { _ = try await memes.insert(new) } == "storageFull")
      #expect(try await memes.page(after: nil, limit: 10).items.isEmpty)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 0)
    }
  }

  @Test func `readers see only whole memes during inserts and deletions`() async throws {
    try await withStore { store in
      let memes = store.memes
      try await withThrowingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            while try await memes.page(after: nil, limit: 100).items.count < 20 {
              for meme in try await memes.page(after: nil, limit: 3).items {
                do {
                  for role in PictureRole.allCases {
                    let file = try await memes.picture(role, of: meme.id).file.loaded()
                    #expect(file.facts == meme.facts(of: role))
                    #expect(file.bytes.count == meme.facts(of: role).byteCount)
                  }
                } catch MemeError.gone {
                  // Deleted after the list was read.
                }
              }
              // Reads do not suspend, so they yield to the writing task. If that task fails, this one ends too.
              await Task.yield()
              try Task.checkCancellation()
            }
          }
        }
        for round in 0..<30 {
          let new = try newMeme(byteCount: 40_000)
          _ = try await memes.insert(new)
          if round % 3 == 0 {
            try await memes.delete(
              new.meme.id, if: .any, at: Timestamp(millisecondsSince1970: 0), restorable: false)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await memes.page(after: nil, limit: 100).items.count == 20)
    }
  }
}
