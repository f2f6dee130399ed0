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
  /// request whose answer it lost.
  ///
  /// - Throws: ``MemeError/idTaken`` where the draft's id is that of another meme, ``MemeError/gone`` where it is that
  ///   of a deleted one; and what the renderer and the store throw.
  package func publish(_ draft: MemeDraft) async throws(MemeError) -> Publication {
    if let id = draft.id, let stored = try await store.draftDigest(of: id) {
      return try await existing(id, stored, draft.digest(picture: digest(draft.picture), digest))
    }
    guard hasRoom() else { throw .storageFull }
    let rendered = try await renderer.render(order(for: draft, thumbnails: true))
    let time = now()
    guard
      let new = NewMeme(
        draft, rendered, id: draft.id ?? newID(time), at: time,
        draftDigest: draft.digest(picture: rendered.original.digest, digest))
    else { throw .rendering(MissingThumbnails()) }
    switch try await store.insert(new) {
    case .inserted: return .created(new.meme, image: rendered.image)
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
      picture: draft.picture, top: draft.top, bottom: draft.bottom, style: draft.style,
      maxEdge: draft.maxEdge ?? defaultMaxEdge, format: draft.format ?? draft.acceptableFormat,
      thumbnails: thumbnails)
  }
}

/// What came of publishing.
package enum Publication: Sendable {
  /// The meme is new.
  case created(Meme, image: PictureFile)
  /// The same draft was published before.
  case existing(Meme)
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
      meme: meme, draftDigest: draftDigest, original: draft.picture, image: rendered.image.bytes,
      tableThumbnail: thumbnails.table.bytes, gridThumbnail: thumbnails.grid.bytes)
  }
}
