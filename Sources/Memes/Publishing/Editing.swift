/// Changes memes. What is to look different is drawn anew from the picture as it was uploaded, so that nothing is lost on
/// the way, and whoever takes every change back has the first picture again.
package struct Editing: Sendable {
  private let store: any MemeStore
  private let drawing: Drawing
  private let now: @Sendable () -> Timestamp
  private let room: StorageRoom
  private let turns = MemeTurns()

  package init(
    store: any MemeStore, drawing: Drawing, now: @escaping @Sendable () -> Timestamp,
    room: StorageRoom
  ) {
    (self.store, self.drawing, self.now, self.room) = (store, drawing, now, room)
  }

  /// Makes the meme what `revise` says. When this returns, that is durable, and addresses of the version before are old.
  ///
  /// An edit that changes nothing makes no version. Edits of one meme that come together are done one after the other, each on
  /// what the one before has left.
  ///
  /// - Parameters:
  ///   - request: names the request in the log of what admins do.
  ///   - revise: is called with the meme as it is; what it throws is thrown.
  /// - Returns: the meme as it is now.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` where the viewer does not own it; ``MemeError/notFound``,
  ///   ``MemeError/gone``; ``MemeError/versionMismatch`` where it is at a version that the viewer does not mean; and what the
  ///   renderer and the store throw.
  package func edit(
    _ id: MemeID, if condition: VersionCondition, by viewer: Viewer, request: String,
    _ revise: (Meme) async throws -> Revision
  ) async throws -> Meme {
    await turns.begin(id)
    defer { turns.end(id) }
    let meme = try await store.meme(id, for: viewer)
    guard viewer.owns(meme) else { throw viewer.refusal }
    guard condition.allows(meme.version) else { throw MemeError.versionMismatch }
    let revision = settled(try await revise(meme))
    var isPrivateOnly = meme.isPrivateOnly
    if let picture = revision.picture {
      isPrivateOnly = try await drawing.isPrivateOnly(picture, of: meme.author?.id, for: viewer)
    }
    guard revision.visibility == .private || !isPrivateOnly else { throw MemeError.remixIsPrivate }
    let isDrawn =
      revision.picture != nil || revision.format != meme.format
      || revision.recipe != settled(Revision(of: meme)).recipe
    guard
      isDrawn || revision.settledAltText != meme.altText || revision.visibility != meme.visibility
    else { return meme }
    var revised =
      try await isDrawn ? draw(revision, of: meme, for: viewer) : retell(revision, of: meme)
    revised.meme.isPrivateOnly = isPrivateOnly
    guard !revised.meme.looksLike(meme, settled(Revision(of: meme)).recipe) else { return meme }
    // Whoever else changes its version comes between, and then this is not written over it.
    let bytes = max(0, revised.meme.byteCount - meme.byteCount)
    return try await room.storing(bytes, for: viewer, isStored: { _ in true }) {
      [revised] () throws(MemeError) in
      try await store.replace(
        meme.version, with: revised, by: viewer,
        recording: AuditEntry(at: now(), viewer, .editMeme, .meme(id), request))
    }
  }

  /// With the server's setting where nobody chose.
  private func settled(_ revision: Revision) -> Revision {
    var revision = revision
    revision.recipe.maxEdge = revision.recipe.maxEdge ?? drawing.defaultMaxEdge
    return revision
  }

  /// The same pictures with another text, or for others.
  private func retell(_ revision: Revision, of meme: Meme) -> RevisedMeme {
    var revised = meme.next(at: now())
    (revised.altText, revised.visibility) = (revision.settledAltText, revision.visibility)
    return RevisedMeme(meme: revised, files: [:])
  }

  private func draw(
    _ revision: Revision, of meme: Meme, for viewer: Viewer
  ) async throws(MemeError) -> RevisedMeme {
    if revision.picture == nil {
      guard room.hasRoom() else { throw .storageFull }
    } else {
      try await room.check(for: viewer)
    }
    let rendered = try await rendered(revision, of: meme, for: viewer)
    guard let thumbnails = rendered.thumbnails else { throw .rendering(MissingThumbnails()) }
    var revised = meme.next(at: now())
    (revised.recipe, revised.altText) = (revision.recipe, revision.settledAltText)
    revised.visibility = revision.visibility
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
      files[.original] = try picture.file(rendered.copy)
    }
    return RevisedMeme(meme: revised, files: files)
  }

  private func rendered(
    _ revision: Revision, of meme: Meme, for viewer: Viewer
  ) async throws(MemeError) -> RenderedMeme {
    guard let picture = revision.picture else {
      return try await drawing.draw(onOriginalOf: meme, revision.recipe, format: revision.format)
    }
    return try await drawing.draw(
      on: picture, for: viewer, revision.recipe, format: revision.format, thumbnails: true)
  }
}

extension Meme {
  /// Whether an edit has come out as what there was.
  fileprivate func looksLike(_ before: Meme, _ recipe: Recipe) -> Bool {
    self.recipe == recipe && altText == before.altText && visibility == before.visibility
      && image == before.image && original == before.original
  }

  /// The meme with a new time of change, before the edited parts are set. The store sets the version.
  fileprivate func next(at time: Timestamp) -> Meme {
    var meme = self
    meme.updatedAt = time
    return meme
  }
}
