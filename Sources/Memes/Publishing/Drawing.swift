/// Has memes drawn, wherever their pictures are.
package struct Drawing: Sendable {
  /// Of recipes that name none.
  let defaultMaxEdge: MaxEdge
  private let memes: any MemeStore
  private let uploads: any UploadStore
  private let templates: any TemplateStore
  private let renderer: any MemeRenderer
  private let now: @Sendable () -> Timestamp

  /// - Parameter defaultMaxEdge: of recipes that name none.
  package init(
    memes: any MemeStore, uploads: any UploadStore, templates: any TemplateStore,
    renderer: any MemeRenderer, defaultMaxEdge: MaxEdge, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.memes, self.uploads, self.templates) = (memes, uploads, templates)
    (self.renderer, self.defaultMaxEdge, self.now) = (renderer, defaultMaxEdge, now)
  }

  /// Draws on a picture that somebody sends or names.
  ///
  /// - Parameter viewer: for whom the picture must be there.
  /// - Throws: ``MemeError/invalid(field:_:)`` with the field that the picture came by, also where there is none of that
  ///   name; and what the renderer and the store throw.
  func draw(
    on source: PictureSource, for viewer: Viewer, _ recipe: Recipe, format: OutputFormat?,
    among formats: [OutputFormat] = OutputFormat.allCases, thumbnails: Bool
  ) async throws(MemeError) -> RenderedMeme {
    let order = RenderOrder(
      picture: try await picture(source, for: viewer), recipe: recipe,
      maxEdge: recipe.maxEdge ?? defaultMaxEdge, format: format, acceptableFormats: formats,
      thumbnails: thumbnails)
    do throws(MemeError) { return try await renderer.render(order) } catch {
      // The renderer knows of one picture, and not where it is from.
      guard case .invalid("image", let value) = error else { throw error }
      throw .invalid(field: source.field, value)
    }
  }

  /// Draws on the picture that the meme was made of.
  ///
  /// - Throws: ``MemeError/versionMismatch`` where the meme is another one already; and what the renderer and the store throw.
  func draw(
    onOriginalOf meme: Meme, _ recipe: Recipe, format: OutputFormat?
  ) async throws(MemeError) -> RenderedMeme {
    try await renderer.render(
      RenderOrder(
        picture: .kept(original(of: meme)), recipe: recipe,
        maxEdge: recipe.maxEdge ?? defaultMaxEdge, format: format, thumbnails: true))
  }

  private func original(of meme: Meme) -> KeptPicture {
    KeptPicture(facts: meme.original) { [memes] () throws(MemeError) in
      try memes.file(.original, of: meme.id, at: meme.version)
    }
  }

  private func picture(
    _ source: PictureSource, for viewer: Viewer
  ) async throws(MemeError) -> OrderedPicture {
    switch source {
    case .image(let file): .sent(file)
    case .upload(let id): .kept(try await upload(id))
    case .template(let id): .kept(try await template(id))
    case .remix(let id): try await remix(of: id, for: viewer)
    }
  }

  private func upload(_ id: UploadID) async throws(MemeError) -> KeptPicture {
    guard let upload = try await uploads.upload(id, at: now()) else { throw .noSuchUpload }
    return KeptPicture(facts: upload.picture) { [uploads, now] () throws(MemeError) in
      guard let file = try uploads.bytes(of: id, at: now()) else { throw .noSuchUpload }
      return file
    }
  }

  private func template(_ id: TemplateID) async throws(MemeError) -> KeptPicture {
    let template: Template
    do throws(MemeError) { template = try await templates.template(id) } catch {
      throw error.naming(.noSuchTemplate)
    }
    return KeptPicture(facts: template.picture) { [templates] () throws(MemeError) in
      do throws(MemeError) { return try templates.picture(.picture, of: id).bytes } catch {
        throw error.naming(.noSuchTemplate)
      }
    }
  }

  /// Whether a meme of this picture may only be private: it is from a meme that another author does not show to everyone, or from
  /// such a remix.
  ///
  /// - Parameter owner: the author of the meme that is made; `nil` if it has none.
  func isPrivateOnly(
    _ source: PictureSource, of owner: UserID?, for viewer: Viewer
  ) async throws(MemeError) -> Bool {
    guard case .remix(let id) = source else { return false }
    let meme: Meme
    do throws(MemeError) { meme = try await memes.meme(id, for: viewer) } catch {
      throw error.naming(.noSuchSource)
    }
    if meme.isPrivateOnly { return true }
    return meme.visibility != .public && (owner == nil || meme.author?.id != owner)
  }

  private func remix(
    of id: MemeID, for viewer: Viewer
  ) async throws(MemeError) -> OrderedPicture {
    let meme: Meme
    do throws(MemeError) { meme = try await memes.meme(id, for: viewer) } catch {
      throw error.naming(.noSuchSource)
    }
    let picture = KeptPicture(facts: meme.original) { [memes] () throws(MemeError) in
      do throws(MemeError) { return try memes.file(.original, of: id, at: meme.version) } catch {
        // What an edit has cropped away since stays away.
        // It was edited while it was read: a moment later it will do.
        if case .versionMismatch = error { throw .storageBusy }
        throw error.naming(.noSuchSource)
      }
    }
    return .copied(picture, crop: meme.recipe.crop)
  }
}

extension MemeError {
  /// What a request is told that names something which is not there.
  fileprivate func naming(_ missing: MemeError) -> MemeError {
    switch self {
    case .notFound, .gone: missing
    default: self
    }
  }
}
