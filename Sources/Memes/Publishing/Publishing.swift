/// Makes memes: draws the captions on the picture, and keeps the result.
package struct Publishing: Sendable {
  private let store: any MemeStore
  private let drawing: Drawing
  private let retrying: Retrying
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> MemeID
  private let room: StorageRoom

  /// - Parameters:
  ///   - newID: gives the ids of memes that bring none.
  package init(
    store: any MemeStore, drawing: Drawing, retrying: Retrying, digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable (Timestamp) -> MemeID,
    room: StorageRoom
  ) {
    (self.store, self.drawing, self.retrying, self.digest) = (store, drawing, retrying, digest)
    (self.now, self.newID, self.room) = (now, newID, room)
  }

  /// Draws the meme and keeps nothing.
  package func preview(
    _ draft: MemeDraft, by viewer: Viewer
  ) async throws(MemeError) -> PictureFile {
    try await render(draft, for: viewer, thumbnails: false).image
  }

  /// Draws the meme and keeps it. When this returns, it is durable.
  ///
  /// Sending the same draft with the same id again is the same as sending it once, so a client may repeat a
  /// request whose answer it lost. With a key that holds without an id too, and the first answer comes again.
  ///
  /// - Parameters:
  ///   - viewer: whose it will be where that is a person.
  ///   - retry: set where the request came with a key.
  /// - Throws: ``MemeError/idTaken`` where the draft's id is that of another meme, ``MemeError/gone`` where it is that
  ///   of a deleted one; ``MemeError/unauthorized`` where the person left meanwhile; ``MemeError/keyInUse`` and ``MemeError/keyReused``; and what the renderer and the store throw.
  package func publish(
    _ draft: MemeDraft, by viewer: Viewer, under retry: Retry<MadeMeme>? = nil
  ) async throws(MemeError) -> Publication {
    try await retrying.answer(retry, repeated: Publication.repeated) {
      () async throws(MemeError) in try await make(draft, by: viewer, under: retry)
    }
  }

  private func make(
    _ draft: MemeDraft, by viewer: Viewer, under retry: Retry<MadeMeme>?
  ) async throws(MemeError) -> Publication {
    if let id = draft.id, let stored = try await store.draftDigest(of: id, by: viewer) {
      return try await existing(id, stored, draft, nil, for: viewer)
    }
    try await room.check(for: viewer)
    let author = try await author(viewer)
    var draft = draft
    let isPrivateOnly = try await drawing.isPrivateOnly(draft.picture, of: author?.id, for: viewer)
    if isPrivateOnly, draft.leftToSettings.contains(.visibility) { draft.visibility = .private }
    guard draft.visibility == .private || !isPrivateOnly else { throw .remixIsPrivate }
    let rendered = try await render(draft, for: viewer, thumbnails: true)
    let time = now()
    var new = try NewMeme(
      draft, rendered, maxEdge: draft.recipe.maxEdge ?? drawing.defaultMaxEdge,
      id: draft.id ?? newID(time), by: author, at: time,
      draftDigest: draft.formDigest(picture: rendered.original.digest, digest))
    new.meme.isPrivateOnly = isPrivateOnly
    let made = MadeMeme(meme: new.meme, image: rendered.image)
    let answer = retry?.first(making: made, id: new.meme.id.uuid, at: time)
    let insertion = try await room.storing(
      new.meme.byteCount, for: viewer, isStored: \.isInserted
    ) { [new] () throws(MemeError) in try await store.insert(new, answering: answer) }
    switch insertion {
    case .inserted: return .created(made)
    case .answered(let first):
      return .repeated(try first.repeated(for: retry?.request))
    case .taken(let stored):
      return try await existing(
        new.meme.id, stored, draft, rendered.original.digest, for: viewer)
    }
  }

  private func author(_ viewer: Viewer) async throws(MemeError) -> Author? {
    guard let person = viewer.person else { return nil }
    guard let author = try await store.author(person) else { throw .unauthorized }
    return author
  }

  private func existing(
    _ id: MemeID, _ stored: Digest, _ draft: MemeDraft, _ picture: Digest?, for viewer: Viewer
  ) async throws(MemeError) -> Publication {
    // Version 0.1.0 kept the digest of what the settings made of the form.
    guard
      stored == draft.formDigest(picture: picture, digest)
        || stored == draft.digest(picture: picture, digest)
    else { throw .idTaken }
    return .existing(try await store.meme(id, for: viewer))
  }

  private func render(
    _ draft: MemeDraft, for viewer: Viewer, thumbnails: Bool
  ) async throws(MemeError) -> RenderedMeme {
    try await drawing.draw(
      on: draft.picture, for: viewer, draft.recipe, format: draft.format,
      among: draft.acceptableFormats, thumbnails: thumbnails)
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

/// The renderer broke its promise to make a copy.
struct MissingCopy: Error {}

extension NewMeme {
  /// A meme that was drawn as its draft says, at its first version.
  ///
  /// - Throws: ``MemeError/rendering(_:)`` where something was not drawn.
  init(
    _ draft: MemeDraft, _ rendered: RenderedMeme, maxEdge: MaxEdge, id: MemeID,
    by author: Author?, at time: Timestamp, draftDigest: Digest
  ) throws(MemeError) {
    guard let thumbnails = rendered.thumbnails else { throw .rendering(MissingThumbnails()) }
    var recipe = draft.recipe
    // As it was drawn, whatever the server's setting will be.
    recipe.maxEdge = maxEdge
    let meme = Meme(
      id: id, author: author, visibility: draft.visibility, version: 1, createdAt: time,
      updatedAt: time, recipe: recipe,
      altText: draft.altText ?? AltText(describing: recipe.texts),
      original: rendered.original, image: rendered.image.facts,
      tableThumbnail: thumbnails.table.facts, gridThumbnail: thumbnails.grid.facts,
      fit: rendered.fit)
    self.init(
      meme: meme, draftDigest: draftDigest, original: try draft.picture.file(rendered.copy),
      image: rendered.image.bytes, tableThumbnail: thumbnails.table.bytes,
      gridThumbnail: thumbnails.grid.bytes)
  }
}
