import Bytes
package import Memes
package import Storage

/// Renders memes from any kind of picture source.
package struct MemeDrawing: Sendable {
  /// For recipes that specify none.
  let defaultMaxEdge: MaxEdge
  private let memes: MemeStore
  private let uploads: UploadStore
  private let templates: TemplateStore
  private let renderer: any MemeRenderer
  private let now: @Sendable () -> Timestamp

  /// - Parameter defaultMaxEdge: for recipes that specify none.
  package init(
    memes: MemeStore, uploads: UploadStore, templates: TemplateStore,
    renderer: any MemeRenderer, defaultMaxEdge: MaxEdge, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.memes, self.uploads, self.templates) = (memes, uploads, templates)
    (self.renderer, self.defaultMaxEdge, self.now) = (renderer, defaultMaxEdge, now)
  }

  /// Draws the picture of a draft with its captions.
  ///
  /// - Parameters:
  ///   - boxes: the pictures in the boxes of its recipe.
  ///   - viewer: must be allowed to see the picture.
  /// - Throws: ``MemeError/invalid(field:_:)`` with the field of the picture, also if the picture does not exist; the
  ///   errors of the renderer and of the store.
  package func draw(
    _ draft: MemeDraft, _ boxes: MemeBoxes = MemeBoxes(), for viewer: Principal, thumbnails: Bool
  ) async throws -> RenderedMeme {
    var order = RenderOrder(
      picture: try await picture(draft.picture, for: viewer), recipe: draft.recipe,
      maxEdge: draft.recipe.maxEdge ?? defaultMaxEdge, format: draft.format,
      acceptableFormats: draft.acceptableFormats, thumbnails: thumbnails)
    order.pictureField = draft.picture.field
    (order.canvas, order.sizeLimit) = (draft.canvas, draft.sizeLimit)
    return try await render(order, boxes)
  }

  private func render(_ order: RenderOrder, _ boxes: MemeBoxes) async throws -> RenderedMeme {
    var order = order
    order.boxed = boxes.sources
    do { return try await renderer.render(order) } catch { throw boxes.naming(error) }
  }

  /// Finds the pictures for the boxes of a meme.
  ///
  /// - Parameters:
  ///   - sources: in the order of the boxes.
  ///   - meme: the meme before an edit; `nil` if it is new.
  ///   - copying: whether to copy files that were uploaded. The copies are stored with the meme.
  /// - Throws: ``MemeError/invalid(field:_:)`` if a picture does not exist, or if all of them together are too large;
  ///   ``MemeError/versionMismatch`` if the meme has changed; the errors of the store.
  package func boxes(
    _ sources: [BoxedPicture.Source], of meme: Meme? = nil, copying: Bool
  ) async throws -> MemeBoxes {
    var boxes = MemeBoxes()
    let keepsAny = sources.contains(where: \.isKept)
    let kept =
      if keepsAny, let meme { try await keptBoxes(of: meme) } else { [] as [MemeBoxes.Box] }
    for (index, source) in sources.enumerated() {
      do { boxes.add(source, try await box(source, among: kept, copying: copying)) } catch {
        guard case MemeError.invalid(source.field, let value) = error else { throw error }
        throw MemeError.invalid(field: "pictures[\(index)].\(source.field)", value)
      }
      try boxes.checkSize()
    }
    return boxes
  }

  private func box(
    _ source: BoxedPicture.Source, among kept: [MemeBoxes.Box], copying: Bool
  ) async throws -> MemeBoxes.Box {
    switch source {
    case .image(let file):
      return .init(BoxSource(isCopied: copying) { file }, byteCount: file.count)
    case .upload(let id):
      let upload = try await upload(id)
      return .init(
        BoxSource(isCopied: copying) { try upload.bytes() }, byteCount: upload.facts.byteCount)
    case .template(let id):
      let template = try await template(id)
      return .init(
        BoxSource { try template.bytes() }, byteCount: template.facts.byteCount,
        stored: BoxedFile(template.facts, .template(id)))
    case .kept(let index):
      guard kept.indices.contains(index) else { throw MemeError.versionMismatch }
      return kept[index]
    }
  }

  /// The pictures that are in the boxes of a meme.
  private func keptBoxes(of meme: Meme) async throws -> [MemeBoxes.Box] {
    try await memes.boxedFacts(of: meme.id, at: meme.version).enumerated().map { index, facts in
      let source = BoxSource { [memes] in
        try memes.file(.boxed(index), of: meme.id, at: meme.version)
      }
      return .init(
        source, byteCount: facts.byteCount, stored: BoxedFile(facts, .boxed(index, of: meme.id)))
    }
  }

  /// The recipe of a draft, with its texts in the boxes of the template. Without a template or without boxes, the first
  /// text is at the top and the second at the bottom.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` for the field `texts` if they do not fit; ``MemeError/noSuchTemplate``;
  ///   the errors of the store.
  func recipe(of draft: MemeDraft) async throws -> Recipe {
    guard let texts = draft.texts else { return draft.recipe }
    var fields = TemplateFields(name: TemplateName(stored: ""))
    if case .template(let id) = draft.picture { fields = try await found(.id(id)).fields }
    do { return try fields.recipe(filling: texts, over: draft.recipe) } catch {
      throw MemeError.invalid(field: "texts", error)
    }
  }

  /// The source with the ID of its template, if it names one by an alias.
  ///
  /// - Throws: ``MemeError/noSuchTemplate``.
  func resolved(_ source: PictureSource) async throws -> PictureSource {
    guard case .aliasedTemplate(let alias) = source else { return source }
    return .template(try await found(.alias(alias)).id)
  }

  /// The picture that a request contains or refers to; of another meme its visible part, without the captions.
  ///
  /// - Throws: see ``draw(on:for:_:format:among:thumbnails:)``.
  func picture(of source: PictureSource, for viewer: Principal) async throws -> RenderSource {
    let picture = try await picture(source, for: viewer)
    guard case .copied = picture else { return picture }
    let rendered = try await renderer.render(
      RenderOrder(
        picture: picture, recipe: Recipe(), maxEdge: defaultMaxEdge, format: nil, thumbnails: false)
    )
    guard let copy = rendered.copy else { throw MemeError.rendering(MissingCopy()) }
    return .sent(copy)
  }

  /// The places of a template for texts and pictures, or the boxes of a meme. None for other pictures.
  func places(
    of source: PictureSource, for viewer: Principal
  ) async throws -> (boxes: [TemplateBox], pictures: [PictureBox]) {
    switch source {
    case .remix(let id):
      do {
        let recipe = try await memes.meme(id, for: viewer).recipe
        return ([TemplateBox](of: recipe), recipe.pictures)
      } catch { throw error.naming(.noSuchSource) }
    case .template(let id):
      let fields = try await found(.id(id)).fields
      return (fields.boxes, fields.pictures)
    case .image, .upload, .aliasedTemplate: return ([], [])
    }
  }

  /// A meme from a draft and its rendering, at version 1.
  ///
  /// - Throws: ``MemeError/rendering(_:)`` if a picture is missing.
  package func newMeme(
    _ draft: MemeDraft, _ rendered: RenderedMeme, id: MemeID, by author: Author?,
    at time: Timestamp, draftDigest: Digest
  ) throws -> NewMeme {
    guard let thumbnails = rendered.thumbnails else {
      throw MemeError.rendering(MissingThumbnails())
    }
    var recipe = draft.recipe
    // The size as drawn, so that later changes of the server's default have no effect.
    recipe.maxEdge = recipe.maxEdge ?? defaultMaxEdge
    var meme = Meme(
      id: id, author: author, visibility: draft.visibility, version: 1, createdAt: time,
      updatedAt: time, recipe: recipe,
      altText: draft.altText ?? AltText(describing: recipe.texts), tags: draft.tags,
      original: rendered.original, image: rendered.image.facts,
      tableThumbnail: thumbnails.table.facts, gridThumbnail: thumbnails.grid.facts,
      fit: rendered.fit)
    meme.source = draft.picture.remixed
    // Otherwise the picture could not have been drawn.
    meme.seesSource = meme.source != nil
    return NewMeme(
      meme: meme, draftDigest: draftDigest, original: try draft.picture.file(rendered.copy),
      image: rendered.image.bytes, tableThumbnail: thumbnails.table.bytes,
      gridThumbnail: thumbnails.grid.bytes)
  }

  /// Draws an edited meme.
  ///
  /// - Parameters:
  ///   - boxes: the new pictures in boxes; `nil` if they do not change.
  ///   - viewer: must be allowed to see a new picture.
  /// - Throws: ``MemeError/versionMismatch`` if the meme has changed; see ``draw(_:_:for:thumbnails:)``.
  func draw(
    _ revision: Revision, _ boxes: MemeBoxes?, of meme: Meme, for viewer: Principal
  ) async throws -> RenderedMeme {
    let recipe = revision.recipe
    let picture: RenderSource
    if let source = revision.picture {
      picture = try await self.picture(source, for: viewer)
    } else {
      picture = .kept(original(of: meme))
    }
    var order = RenderOrder(
      picture: picture, recipe: recipe, maxEdge: recipe.maxEdge ?? defaultMaxEdge,
      format: revision.format, thumbnails: true)
    if let source = revision.picture { order.pictureField = source.field }
    if let boxes { return try await render(order, boxes) }
    let kept = recipe.pictures.indices.map(BoxedPicture.Source.kept)
    return try await render(order, self.boxes(kept, of: meme, copying: false))
  }

  private func original(of meme: Meme) -> StoredSource {
    StoredSource(facts: meme.original) { [memes] in
      try memes.file(.original, of: meme.id, at: meme.version)
    }
  }

  private func picture(
    _ source: PictureSource, for viewer: Principal
  ) async throws -> RenderSource {
    switch source {
    case .image(let file): .sent(file)
    case .upload(let id): .kept(try await upload(id))
    case .template(let id): .kept(try await template(id))
    case .aliasedTemplate: throw MemeError.noSuchTemplate
    case .remix(let id): try await remix(of: id, for: viewer)
    }
  }

  private func upload(_ id: UploadID) async throws -> StoredSource {
    guard let upload = try await uploads.upload(id, at: now()) else { throw MemeError.noSuchUpload }
    return StoredSource(facts: upload.picture) { [uploads, now] in
      guard let file = try uploads.bytes(of: id, at: now()) else { throw MemeError.noSuchUpload }
      return file
    }
  }

  private func found(_ template: TemplateReference) async throws -> Template {
    do { return try await templates.template(template) } catch {
      throw error.naming(.noSuchTemplate)
    }
  }

  private func template(_ id: TemplateID) async throws -> StoredSource {
    let template = try await found(.id(id))
    return StoredSource(facts: template.picture) { [templates] in
      do { return try templates.blockingPicture(of: id) } catch {
        throw error.naming(.noSuchTemplate)
      }
    }
  }

  /// What may be made from a picture.
  struct SourceTerms: Equatable {
    /// Whether a meme made from it must be private. That is the case if the picture comes from another author's meme
    /// that is not public, or from a remix of such a meme.
    var isPrivateOnly = false
    /// The version of the other meme.
    var version: Int?
  }

  /// - Parameter owner: the author of the new meme; `nil` if it has none.
  func terms(
    of source: PictureSource, for owner: UserID?, asking viewer: Principal
  ) async throws -> SourceTerms {
    guard case .remix(let id) = source else { return SourceTerms() }
    let meme: Meme
    do { meme = try await memes.meme(id, for: viewer) } catch {
      throw error.naming(.noSuchSource)
    }
    let isOthers = owner == nil || meme.author?.id != owner
    return SourceTerms(
      isPrivateOnly: meme.isPrivateOnly || meme.visibility != .public && isOthers,
      version: meme.version)
  }

  /// Call this once the picture is drawn: after an edit in between, it may be another one.
  ///
  /// - Throws: ``MemeError/storageBusy`` if the terms have changed.
  func confirm(
    _ terms: SourceTerms, of source: PictureSource, for owner: UserID?, asking viewer: Principal
  ) async throws {
    let now = try await self.terms(of: source, for: owner, asking: viewer)
    guard now == terms else { throw MemeError.storageBusy }
  }

  private func remix(
    of id: MemeID, for viewer: Principal
  ) async throws -> RenderSource {
    let meme: Meme
    do { meme = try await memes.meme(id, for: viewer) } catch {
      throw error.naming(.noSuchSource)
    }
    let picture = StoredSource(facts: meme.original) { [memes] in
      do { return try memes.file(.original, of: id, at: meme.version) } catch {
        // This version is required: a later edit may crop away parts that must not show up here. After an edit in
        // between, the client can retry.
        if case MemeError.versionMismatch = error { throw MemeError.storageBusy }
        throw error.naming(.noSuchSource)
      }
    }
    return .copied(picture, crop: meme.recipe.crop)
  }
}

/// The renderer returned no thumbnails although they were requested.
struct MissingThumbnails: Error {}

extension Error {
  /// Returns `missing` if the error means that something does not exist. The response then names the field that
  /// refers to it.
  fileprivate func naming(_ missing: MemeError) -> any Error { isAbsence ? missing : self }
}
