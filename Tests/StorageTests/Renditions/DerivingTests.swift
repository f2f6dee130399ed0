import Bytes
import Eventually
import Memes
import Metrics
import SQL
import SQLite
import Services
import Storage
import Synchronization
import Testing

/// The use case with a real store. The images of these memes are JPEGs, 501 pixels wide, of version 3.
struct DerivingTests {
  /// Finds pictures like the other store, but cannot store any.
  private struct FullStore: DerivedPictureStore {
    let store: DerivedPictures

    func find(
      _ wish: RenditionRequest, of id: MemeID, for viewer: Principal
    ) async throws -> DerivedPicture {
      try await store.find(wish, of: id, for: viewer)
    }

    func keep(_ file: PictureFile, as key: DerivedPictureKey) async throws -> Bool {
      throw MemeError.storageFull
    }
  }

  private final class Setting: Sendable {
    let renderer = SizedRenderer()
    let reports = Mutex<[String]>([])
    let hasRoom = Atomic(true)
    let time = Mutex(ContinuousClock.now)
  }

  private func withDeriving(
    isFull: Bool = false,
    _ body: (Scratch, Renditions, Setting, MemeID) async throws -> Void
  ) async throws {
    try await withStore { store in
      let (meme, setting) = (try newMeme(), Setting())
      _ = try await store.memes.insert(meme)
      let derived = DerivedPictures(store.database, capacityBytes: 1 << 20)
      let deriving = Renditions(
        memes: store.memes, derived: isFull ? FullStore(store: derived) : derived,
        renderer: setting.renderer, hasRoom: { setting.hasRoom.load(ordering: .relaxed) },
        report: { error in setting.reports.withLock { $0.append(error.reason) } },
        ticks: { setting.time.withLock { $0 } })
      try await body(store, deriving, setting, meme.meme.id)
    }
  }

  private let wish = RenditionRequest(width: try? PictureWidth(pixels: 100), format: .webp)

  @Test(.timeLimit(.minutes(1)))
  func `fifty concurrent callers get one picture, which is made once`() async throws {
    try await withDeriving { store, deriving, setting, id in
      try await withThrowingTaskGroup { group in
        for _ in 0..<50 {
          group.addTask { [wish] in try await deriving.picture(of: id, as: wish) }
        }
        try await eventually("a picture is being made") { setting.renderer.begun > 0 }
        setting.renderer.open()
        for try await picture in group {
          #expect(picture.facts.size.width == 100 && picture.facts.format == .webp)
        }
      }
      #expect(setting.renderer.begun == 1)
      #expect(deriving.meter.made.value == 1 && deriving.meter.kept.value == 1)
      _ = try await deriving.picture(of: id, as: wish)
      #expect(setting.renderer.begun == 1)
      #expect(try await StoredTotals(in: store.database).derived == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a picture that cannot be stored is returned, and made again next time`(
    isFull: Bool
  ) async throws {
    try await withDeriving(isFull: isFull) { store, deriving, setting, id async throws in
      setting.renderer.open()
      // Below the disk floor, the store is not even called.
      setting.hasRoom.store(isFull, ordering: .relaxed)
      for count in 1...2 {
        #expect(try await deriving.picture(of: id, as: wish).facts.size.width == 100)
        #expect(setting.renderer.begun == count)
      }
      #expect(setting.reports.withLock { $0.count } == (isFull ? 2 : 0))
      #expect(deriving.meter.kept.value == 0)
      #expect(try await StoredTotals(in: store.database).derived == 0)
    }
  }

  @Test func `an existing picture is returned as it is, and versions are checked`() async throws {
    try await withDeriving { _, deriving, setting, id async throws in
      let whole = RenditionRequest(width: nil, format: .jpeg)
      for wish in [whole, wish] {
        for (version, expected) in [(2, "superseded"), (4, "notFound")] {
          #expect(
            await failure {
              _ = try await deriving.picture(of: id, version: version, as: wish)
            } == expected)
        }
      }
      #expect(try await deriving.picture(of: id, version: 3, as: whole).facts.size.width == 501)
      #expect(setting.renderer.begun == 0)
      #expect(deriving.meter.found.value == 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a picture made before an edit or a deletion is not stored`() async throws {
    try await withDeriving { store, deriving, setting, id in
      async let old = deriving.picture(of: id, as: wish)
      try await eventually("a picture is being made") { setting.renderer.begun > 0 }
      try await store.database.writer.transaction { db in
        try db.run("UPDATE memes SET version = 4")
      }
      // A caller that comes now must not share the old picture.
      async let new = deriving.picture(of: id, version: 4, as: wish)
      try await eventually("two pictures are being made") { setting.renderer.begun >= 2 }
      setting.renderer.open()
      _ = try await (old, new)
      #expect(deriving.meter.made.value == 2 && deriving.meter.kept.value == 1)
      #expect(try await StoredTotals(in: store.database).derived == 1)
    }
  }

  @Test func `a stored picture that cannot be read is not the caller's fault`() async throws {
    try await withDeriving { _, deriving, setting, id in
      let broken = InvalidValue(code: "broken-picture", message: "")
      setting.renderer.open(failing: .invalid(field: "image", broken))
      #expect(
        await failure { _ = try await deriving.picture(of: id, as: wish) }
          == "rendering")
      // A caller that only preferred a format gets the existing picture.
      let preferred = RenditionRequest(width: nil, format: .webp)
      let (picture, isPreferred) = try await deriving.picture(of: id, preferring: preferred)
      #expect(picture.facts.format == .jpeg && picture.facts.size.width == 501)
      #expect(isPreferred == false)
      #expect(setting.reports.withLock { $0.count } == 1)
      // Neither is tried again before five minutes have passed.
      let begun = setting.renderer.begun
      setting.renderer.open()
      #expect(try await deriving.picture(of: id, preferring: preferred).isPreferred == false)
      #expect(
        await failure { _ = try await deriving.picture(of: id, as: wish) }
          == "rendering")
      #expect(setting.renderer.begun == begun)
      setting.time.withLock { $0 += .seconds(301) }
      // A full queue does not count as a failure of the picture.
      setting.renderer.open(failing: .overloaded())
      #expect(try await deriving.picture(of: id, preferring: preferred).isPreferred == false)
      setting.renderer.open()
      let (webp, isNow) = try await deriving.picture(of: id, preferring: preferred)
      #expect(webp.facts.format == .webp && isNow)
    }
  }
}
