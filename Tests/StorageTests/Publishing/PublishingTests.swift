import Bytes
import Memes
import SQL
import SQLite
import Services
import Storage
import Testing

/// How a request with an idempotency key runs, and what remains of it however it ends.
@Suite struct PublishingTests {
  private struct Setup {
    let store: Scratch
    let renderer = GatedRenderer()
    let publisher: Publisher

    init(_ store: Scratch) throws {
      self.store = store
      let drawing = MemeDrawing(
        memes: store.memes, uploads: store.uploads, templates: store.templates, renderer: renderer,
        defaultMaxEdge: try MaxEdge(pixels: 100), now: { Timestamp(millisecondsSince1970: 0) })
      publisher = Publisher(
        store: store.memes, drawing: drawing, room: StorageRoom { true },
        context: ServiceContext(
          now: { Timestamp(millisecondsSince1970: 0) },
          digest: { bytes in Digest { $0[0] = UInt8(bytes.count) } }, hasRoom: { true },
          idempotency: Idempotency(store: store.retries) { Timestamp(millisecondsSince1970: 0) }))
    }

    /// Returns the outcome of publishing, or the name of the error.
    func publish(
      _ retry: IdempotentRequest<MadeMeme>?, on picture: PictureSource = .image(Bytes("a"))
    ) async -> String {
      do {
        let draft = MemeDraft(picture: picture)
        switch try await publisher.publish(draft, by: .anonymous, under: retry) {
        case .created: return "created"
        case .existing: return "existing"
        case .repeated(let first): return "repeated \(first.response.utf8Text ?? "")"
        }
      } catch {
        return String("\(error)".prefix { $0 != "(" })
      }
    }

    var ids: [String] {
      get async throws {
        try await store.memes.page(after: nil, limit: 10).items.map(\.id.description)
      }
    }
  }

  private func withPublisher(
    on engines: Set<Engine> = Engine.tested, _ body: (Setup) async throws -> Void
  ) async throws {
    try await withStore(on: engines) { try await body(try Setup($0)) }
  }

  private func retry(key: UInt8 = 1, request: UInt8 = 1) throws -> IdempotentRequest<MadeMeme> {
    IdempotentRequest(key: try retryKey(key), digest: try digest(request)) { made in
      Bytes(made.meme.id.description)
    }
  }

  @Test func `a repeated request is not drawn again`() async throws {
    try await withPublisher { publisher in
      publisher.renderer.open()
      #expect(try await publisher.publish(retry()) == "created")
      let id = try #require(try await publisher.ids.first)
      #expect(try await publisher.publish(retry()) == "repeated \(id)")
      #expect(try await publisher.publish(retry(request: 2)) == "keyReused")
      #expect(publisher.renderer.drawn == 1)
      #expect(try await publisher.publish(retry(key: 2, request: 2)) == "created")
      #expect(await publisher.publish(nil) == "created")
      #expect(try await publisher.ids.count == 3)
    }
  }

  @Test func `a key is in use until its first request ends`() async throws {
    try await withPublisher { publisher in
      let retry = try retry()
      async let first = publisher.publish(retry)
      try await publisher.renderer.waitUntilSomebodyWaits()
      #expect(await publisher.publish(retry) == "keyInUse")
      #expect(try await publisher.publish(self.retry(request: 2)) == "keyInUse")
      publisher.renderer.open()
      #expect(await first == "created")
      #expect(await publisher.publish(retry).hasPrefix("repeated"))
    }
  }

  @Test func `a remix of a meme that is edited while it is drawn is refused`() async throws {
    try await withPublisher { publisher in
      let ada = try await publisher.store.person("ada")
      let source = try newMeme(by: ada)
      _ = try await publisher.store.memes.insert(source, recording: nil)
      async let remix = publisher.publish(nil, on: .remix(source.meme.id))
      try await publisher.renderer.waitUntilSomebodyWaits()
      let edited = try newMeme(id: source.meme.id.uuid, by: ada) {
        $0.top = CaptionText(stored: "b")
      }
      _ = try await publisher.store.memes.replace(
        3, with: RevisedMeme(meme: edited.meme, files: [:]), by: .person(ada.id), recording: nil)
      publisher.renderer.open()
      #expect(await remix == "storageBusy")
      // This renderer returns no copy of the picture.
      #expect(await publisher.publish(nil, on: .remix(source.meme.id)) == "rendering")
    }
  }

  @Test func `a failed request releases its key`() async throws {
    try await withPublisher(on: [.sqlite]) { publisher in
      publisher.renderer.open(failing: .overloaded())
      #expect(try await publisher.publish(retry()) == "overloaded")
      publisher.renderer.open()
      try await publisher.store.database.writer.transaction { db in
        try db.run(
          "CREATE TRIGGER full BEFORE INSERT ON retries BEGIN SELECT raise(ABORT, 'full'); END")
      }
      #expect(try await publisher.publish(retry()) == "storage")
      try await publisher.store.database.writer.transaction { db in
        try db.run("DROP TRIGGER full")
      }
      #expect(try await publisher.ids.isEmpty)
      #expect(try await publisher.publish(retry(request: 2)) == "created")
    }
  }

  @Test func `a request that is canceled while it waits releases its key`() async throws {
    try await withPublisher { publisher in
      let retry = try retry()
      let first = Task { await publisher.publish(retry) }
      try await publisher.renderer.waitUntilSomebodyWaits()
      first.cancel()
      #expect(await first.value == "rendering")
      publisher.renderer.open()
      #expect(await publisher.publish(retry) == "created")
      #expect(try await publisher.ids.count == 1)
    }
  }

  @Test func `a request that is canceled after drawing is stored with its response`()
    async throws
  {
    try await withPublisher { publisher in
      let retry = try retry()
      publisher.renderer.open()
      let first = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await publisher.publish(retry)
      }
      #expect(await first.value == "created")
      #expect(await publisher.publish(retry).hasPrefix("repeated"))
    }
  }

  @Test func `the store decides whether a key already has a response`() async throws {
    try await withPublisher { publisher in
      let retry = try retry()
      async let late = publisher.publish(retry)
      try await publisher.renderer.waitUntilSomebodyWaits()
      let early = try newMeme(at: 0)
      _ = try await publisher.store.memes.insert(
        early,
        recording: IdempotencyRecord(
          key: retry.key, request: retry.digest, made: early.meme.id.uuid,
          response: Bytes("early"), at: early.meme.createdAt))
      publisher.renderer.open()
      #expect(await late == "repeated early")
      #expect(try await publisher.ids == [early.meme.id.description])
    }
  }
}
