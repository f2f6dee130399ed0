import Bytes

/// Makes memes: draws the captions on the picture, and keeps the result.
package struct Publishing: Sendable {
  private let store: any MemeStore
  private let renderer: any MemeRenderer
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> MemeID
  private let defaultMaxEdge: MaxEdge
  private let hasRoom: @Sendable () -> Bool
  private let inFlight = KeysInFlight()

  /// - Parameters:
  ///   - defaultMaxEdge: of drafts that name none.
  ///   - hasRoom: whether the disk takes more pictures; what is left below that is for deletions.
  package init(
    store: any MemeStore, renderer: any MemeRenderer, digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable (Timestamp) -> MemeID,
    defaultMaxEdge: MaxEdge, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.renderer, self.digest) = (store, renderer, digest)
    (self.now, self.newID, self.defaultMaxEdge) = (now, newID, defaultMaxEdge)
    self.hasRoom = hasRoom
  }

  /// Draws the meme and keeps nothing.
  package func preview(_ draft: MemeDraft) async throws(MemeError) -> PictureFile {
    try await renderer.render(order(for: draft, thumbnails: false)).image
  }

  /// Draws the meme and keeps it. When this returns, it is durable.
  ///
  /// Sending the same draft with the same id again is the same as sending it once, so a client may repeat a
  /// request whose answer it lost. With a key that holds without an id too, and the first answer comes again.
  ///
  /// - Parameter retry: set where the request came with a key. Only what makes a meme uses the key up: a request that
  ///   fails leaves no trace of it.
  /// - Throws: ``MemeError/idTaken`` where the draft's id is that of another meme, ``MemeError/gone`` where it is that
  ///   of a deleted one; ``MemeError/keyInUse`` and ``MemeError/keyReused``; and what the renderer and the store throw.
  package func publish(
    _ draft: MemeDraft, under retry: Retry? = nil
  ) async throws(MemeError) -> Publication {
    guard let retry else { return try await make(draft, under: nil) }
    guard inFlight.begin(retry.key) else { throw .keyInUse }
    defer { inFlight.end(retry.key) }
    // Before anything is drawn: sending again costs a look.
    if let first = try await store.firstAnswer(to: retry.key, at: now()) {
      return .repeated(try first.repeated(for: retry.request))
    }
    return try await make(draft, under: retry)
  }

  private func make(
    _ draft: MemeDraft, under retry: Retry?
  ) async throws(MemeError) -> Publication {
    if let id = draft.id, let stored = try await store.draftDigest(of: id) {
      return try await existing(id, stored, draft.digest(picture: digest(draft.picture), digest))
    }
    guard hasRoom() else { throw .storageFull }
    let order = order(for: draft, thumbnails: true)
    let rendered = try await renderer.render(order)
    let time = now()
    guard
      let new = NewMeme(
        draft, rendered, maxEdge: order.maxEdge, id: draft.id ?? newID(time), at: time,
        draftDigest: draft.digest(picture: rendered.original.digest, digest))
    else { throw .rendering(MissingThumbnails()) }
    let answer = retry.map { retry in
      FirstAnswer(
        key: retry.key, request: retry.request, meme: new.meme.id,
        answer: retry.answer(new.meme, rendered.image), at: time)
    }
    switch try await store.insert(new, answering: answer) {
    case .inserted: return .created(new.meme, image: rendered.image)
    case .answered(let first):
      return .repeated(try first.repeated(for: retry?.request))
    case .taken(let stored): return try await existing(new.meme.id, stored, new.draftDigest)
    }
  }

  private func existing(
    _ id: MemeID, _ stored: Digest, _ sent: Digest
  ) async throws(MemeError) -> Publication {
    guard stored == sent else { throw .idTaken }
    return .existing(try await store.meme(id))
  }

  private func order(for draft: MemeDraft, thumbnails: Bool) -> RenderOrder {
    RenderOrder(
      picture: draft.picture, recipe: draft.recipe,
      maxEdge: draft.recipe.maxEdge ?? defaultMaxEdge, format: draft.format,
      acceptableFormats: draft.acceptableFormats, thumbnails: thumbnails)
  }
}

/// What came of publishing.
package enum Publication: Sendable {
  /// The meme is new.
  case created(Meme, image: PictureFile)
  /// The same draft was published before.
  case existing(Meme)
  /// The same request was answered before. The meme may have been changed or deleted since.
  case repeated(FirstAnswer)
}

/// The renderer broke its promise to make thumbnails.
struct MissingThumbnails: Error {}

extension NewMeme {
  /// - Returns: `nil` where there are no thumbnails.
  fileprivate init?(
    _ draft: MemeDraft, _ rendered: RenderedMeme, maxEdge: MaxEdge, id: MemeID,
    at time: Timestamp, draftDigest: Digest
  ) {
    guard let thumbnails = rendered.thumbnails else { return nil }
    var recipe = draft.recipe
    // As it was drawn, whatever the server's setting will be.
    recipe.maxEdge = maxEdge
    let meme = Meme(
      id: id, version: 1, createdAt: time, updatedAt: time, recipe: recipe,
      altText: draft.altText ?? AltText(describing: recipe.texts),
      original: rendered.original, image: rendered.image.facts,
      tableThumbnail: thumbnails.table.facts, gridThumbnail: thumbnails.grid.facts,
      fit: rendered.fit)
    self.init(
      meme: meme, draftDigest: draftDigest, original: draft.picture, image: rendered.image.bytes,
      tableThumbnail: thumbnails.table.bytes, gridThumbnail: thumbnails.grid.bytes)
  }
}
