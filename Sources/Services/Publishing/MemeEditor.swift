package import Memes
package import Storage

/// Edits memes. A changed meme is drawn again from the uploaded picture, so quality is never lost, and reverting all
/// changes restores the first image.
package struct MemeEditor: Sendable {
  private let store: MemeStore
  private let drawing: MemeDrawing
  private let formats: any WritableFormats
  private let room: StorageRoom
  private let now: @Sendable () -> Timestamp
  private let turns = MemeLocks()

  /// How often an edit is tried if other servers change the meme at the same time.
  private static let attempts = 8

  package init(
    store: MemeStore, drawing: MemeDrawing, formats: any WritableFormats, room: StorageRoom,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.drawing, self.formats) = (store, drawing, formats)
    (self.room, self.now) = (room, now)
  }

  /// Applies the patch to the meme. On return, the change is durable, and URLs of the previous version are outdated.
  ///
  /// An edit that changes nothing makes no new version. Concurrent edits of the same meme run one after the other, each
  /// on the result of the previous one.
  ///
  /// - Parameter request: the request ID, for the audit log.
  /// - Returns: the current meme.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the meme; ``MemeVersionMismatch`` if the meme has another version than the condition
  ///   requires, or other servers keep changing it; ``InvalidFields``; the errors of the renderer and of the store.
  package func edit(
    _ id: MemeID, patch: MemePatch, if condition: VersionCondition, by viewer: Principal,
    request: String
  ) async throws -> Meme {
    await turns.begin(id)
    defer { turns.end(id) }
    for _ in 1...Self.attempts {
      let meme = try await store.meme(id, for: viewer)
      guard viewer.owns(meme) else { throw viewer.refusal }
      guard condition.allows(meme.version) else { throw MemeVersionMismatch(current: meme) }
      do { return try await edit(meme, patch, by: viewer, request: request) } catch {
        guard case MemeError.versionMismatch = error else { throw error }
      }
    }
    throw MemeVersionMismatch(current: try? await store.meme(id, for: viewer))
  }

  private func edit(
    _ meme: Meme, _ patch: MemePatch, by viewer: Principal, request: String
  ) async throws -> Meme {
    let formats = try await formats.available(naming: patch.format.value ?? meme.format?.rawValue)
    var revision = settled(
      try Revision(of: meme).applying(patch, hasAuthor: meme.author != nil, formats: formats))
    var terms = MemeDrawing.SourceTerms(isPrivateOnly: meme.isPrivateOnly)
    if let named = revision.picture {
      let picture = try await drawing.resolved(named)
      revision.picture = picture
      terms = try await drawing.terms(of: picture, for: meme.author?.id, asking: viewer)
    }
    guard revision.visibility == .private || !terms.isPrivateOnly else {
      throw MemeError.remixIsPrivate
    }
    let isDrawn =
      revision.picture != nil || revision.boxed != nil || revision.format != meme.format
      || revision.recipe != settled(Revision(of: meme)).recipe
    guard
      isDrawn || revision.settledAltText != meme.altText || revision.visibility != meme.visibility
        || revision.tags != meme.tags
    else { return meme }
    var revised =
      try await isDrawn ? draw(revision, of: meme, for: viewer) : retell(revision, of: meme)
    if let picture = revision.picture {
      try await drawing.confirm(terms, of: picture, for: meme.author?.id, asking: viewer)
    }
    revised.meme.isPrivateOnly = terms.isPrivateOnly
    if revised.meme.looksLike(meme, settled(Revision(of: meme)).recipe) {
      guard let boxed = revised.boxed else { return meme }
      // A picture may be hidden below another one.
      let before = try await store.boxedFacts(of: meme.id, at: meme.version)
      if before.map(\.digest) == boxed.map(\.facts.digest) { return meme }
    }
    // If something else changes the version before this write, the store rejects the write.
    let boxedBytes = (revised.boxed ?? []).filter(\.isNew).reduce(0) { $0 + $1.facts.byteCount }
    let bytes = max(0, revised.meme.byteCount - meme.byteCount) + boxedBytes
    return try await room.storing(bytes, for: viewer, isStored: { _ in true }) {
      [revised] () in
      try await store.replace(
        meme.version, with: revised, by: viewer,
        recording: AuditEntry(at: now(), viewer, .editMeme, .meme(meme.id), request))
    }
  }

  /// The revision with the server's default for a missing setting.
  private func settled(_ revision: Revision) -> Revision {
    var revision = revision
    revision.recipe.maxEdge = revision.recipe.maxEdge ?? drawing.defaultMaxEdge
    return revision
  }

  /// Changes the alt text, the tags or the visibility, and keeps the pictures.
  private func retell(_ revision: Revision, of meme: Meme) -> RevisedMeme {
    var revised = meme.next(at: now())
    (revised.altText, revised.visibility) = (revision.settledAltText, revision.visibility)
    revised.tags = revision.tags
    return RevisedMeme(meme: revised, files: [:])
  }

  private func draw(
    _ revision: Revision, of meme: Meme, for viewer: Principal
  ) async throws -> RevisedMeme {
    if revision.picture == nil && revision.boxed?.allSatisfy(\.isKept) ?? true {
      guard room.hasRoom() else { throw MemeError.storageFull }
    } else {
      try await room.check(for: viewer)
    }
    var boxes: MemeBoxes?
    if let sources = revision.boxed {
      boxes = try await drawing.boxes(sources, of: meme, copying: true)
    }
    let rendered = try await drawing.draw(revision, boxes, of: meme, for: viewer)
    guard let thumbnails = rendered.thumbnails else {
      throw MemeError.rendering(MissingThumbnails())
    }
    var revised = meme.next(at: now())
    (revised.recipe, revised.altText) = (revision.recipe, revision.settledAltText)
    (revised.tags, revised.visibility) = (revision.tags, revision.visibility)
    (revised.image, revised.fit) = (rendered.image.facts, rendered.fit)
    (revised.tableThumbnail, revised.gridThumbnail) = (
      thumbnails.table.facts, thumbnails.grid.facts
    )
    var files: [PictureRole: FileSource] = [
      .image: .bytes(rendered.image.bytes), .tableThumbnail: .bytes(thumbnails.table.bytes),
      .gridThumbnail: .bytes(thumbnails.grid.bytes),
    ]
    if let picture = revision.picture {
      revised.original = rendered.original
      // The meme's own picture, without what the crop hides, still has the source that it had.
      if picture.remixed != meme.id {
        (revised.source, revised.seesSource) = (picture.remixed, picture.remixed != nil)
      }
      files[.original] = try picture.file(rendered.copy)
    }
    return RevisedMeme(meme: revised, files: files, boxed: try boxes?.files(of: rendered))
  }
}

extension Meme {
  /// Whether the edit changed nothing visible.
  fileprivate func looksLike(_ before: Meme, _ recipe: Recipe) -> Bool {
    self.recipe == recipe && altText == before.altText && visibility == before.visibility
      && tags == before.tags
      && image == before.image && original == before.original
  }

  /// The meme with a new modification time, before the edited fields are set. The store sets the version.
  fileprivate func next(at time: Timestamp) -> Meme {
    var meme = self
    meme.updatedAt = time
    return meme
  }
}

extension BoxedFile {
  /// Whether the meme did not have the picture before.
  fileprivate var isNew: Bool { if case .boxed = source { false } else { true } }
}
