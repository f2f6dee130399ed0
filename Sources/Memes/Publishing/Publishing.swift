/// Makes memes: draws the captions on the picture, and keeps the result.
package struct Publishing: Sendable {
  private let store: any MemeStore
  private let uploads: any UploadStore
  private let renderer: any MemeRenderer
  private let retrying: Retrying
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> MemeID
  private let defaultMaxEdge: MaxEdge
  private let hasRoom: @Sendable () -> Bool

  /// - Parameters:
  ///   - defaultMaxEdge: of drafts that name none.
  ///   - hasRoom: whether the disk takes more pictures; what is left below that is for deletions.
  package init(
    store: any MemeStore, uploads: any UploadStore, renderer: any MemeRenderer,
    retrying: Retrying, digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> MemeID, defaultMaxEdge: MaxEdge,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.uploads, self.renderer) = (store, uploads, renderer)
    (self.retrying, self.digest) = (retrying, digest)
    (self.now, self.newID, self.defaultMaxEdge) = (now, newID, defaultMaxEdge)
    self.hasRoom = hasRoom
  }

  /// Draws the meme and keeps nothing.
  package func preview(_ draft: MemeDraft) async throws(MemeError) -> PictureFile {
    try await render(draft, thumbnails: false).image
  }

  /// Draws the meme and keeps it. When this returns, it is durable.
  ///
  /// Sending the same draft with the same id again is the same as sending it once, so a client may repeat a
  /// request whose answer it lost. With a key that holds without an id too, and the first answer comes again.
  ///
  /// - Parameter retry: set where the request came with a key.
  /// - Throws: ``MemeError/idTaken`` where the draft's id is that of another meme, ``MemeError/gone`` where it is that
  ///   of a deleted one; ``MemeError/keyInUse`` and ``MemeError/keyReused``; and what the renderer and the store throw.
  package func publish(
    _ draft: MemeDraft, under retry: Retry<MadeMeme>? = nil
  ) async throws(MemeError) -> Publication {
    try await retrying.answer(retry, repeated: Publication.repeated) {
      () async throws(MemeError) in try await make(draft, under: retry)
    }
  }

  private func make(
    _ draft: MemeDraft, under retry: Retry<MadeMeme>?
  ) async throws(MemeError) -> Publication {
    if let id = draft.id, let stored = try await store.draftDigest(of: id) {
      return try await existing(id, stored, draft.digest(digest))
    }
    guard hasRoom() else { throw .storageFull }
    let rendered = try await render(draft, thumbnails: true)
    let time = now()
    guard
      let new = NewMeme(
        draft, rendered, id: draft.id ?? newID(time), at: time,
        draftDigest: draft.digest(picture: rendered.original.digest, digest))
    else { throw .rendering(MissingThumbnails()) }
    let made = MadeMeme(meme: new.meme, image: rendered.image)
    let answer = retry?.first(making: made, id: new.meme.id.uuid, at: time)
    switch try await store.insert(new, answering: answer) {
    case .inserted: return .created(made)
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

  private func render(
    _ draft: MemeDraft, thumbnails: Bool
  ) async throws(MemeError) -> RenderedMeme {
    let order = RenderOrder(
      picture: try await picture(of: draft), top: draft.top, bottom: draft.bottom,
      style: draft.style, maxEdge: draft.maxEdge ?? defaultMaxEdge, format: draft.format,
      acceptableFormats: draft.acceptableFormats, thumbnails: thumbnails)
    do throws(MemeError) { return try await renderer.render(order) } catch {
      // The renderer knows of one picture, and not where it is from.
      guard case .invalid("image", let value) = error else { throw error }
      throw .invalid(field: draft.picture.field, value)
    }
  }

  private func picture(of draft: MemeDraft) async throws(MemeError) -> OrderedPicture {
    switch draft.picture {
    case .image(let file): return .sent(file)
    case .upload(let id):
      guard let upload = try await uploads.upload(id, at: now()) else { throw .noSuchUpload }
      let picture = KeptPicture(facts: upload.picture) { [uploads, now] () throws(MemeError) in
        guard let file = try uploads.bytes(of: id, at: now()) else { throw .noSuchUpload }
        return file
      }
      return .kept(picture)
    }
  }
}

/// What came of publishing.
package enum Publication: Sendable {
  /// The meme is new.
  case created(MadeMeme)
  /// The same draft was published before.
  case existing(Meme)
  /// The same request was answered before. The meme may have been changed or deleted since.
  case repeated(FirstAnswer)
}

/// A meme that was just made, with the picture that was drawn.
package struct MadeMeme: Sendable {
  package let meme: Meme
  package let image: PictureFile
}

/// The renderer broke its promise to make thumbnails.
struct MissingThumbnails: Error {}

extension NewMeme {
  /// - Returns: `nil` where there are no thumbnails.
  fileprivate init?(
    _ draft: MemeDraft, _ rendered: RenderedMeme, id: MemeID, at time: Timestamp,
    draftDigest: Digest
  ) {
    guard let thumbnails = rendered.thumbnails else { return nil }
    let meme = Meme(
      id: id, version: 1, createdAt: time, updatedAt: time, top: draft.top, bottom: draft.bottom,
      style: draft.style, altText: draft.altText ?? AltText(describing: draft.top, draft.bottom),
      original: rendered.original, image: rendered.image.facts,
      tableThumbnail: thumbnails.table.facts, gridThumbnail: thumbnails.grid.facts,
      fit: rendered.fit)
    self.init(
      meme: meme, draftDigest: draftDigest, original: draft.picture.original,
      image: rendered.image.bytes, tableThumbnail: thumbnails.table.bytes,
      gridThumbnail: thumbnails.grid.bytes)
  }
}

extension PictureSource {
  fileprivate var original: OriginalBytes {
    switch self {
    case .image(let file): .sent(file)
    case .upload(let id): .upload(id)
    }
  }
}
