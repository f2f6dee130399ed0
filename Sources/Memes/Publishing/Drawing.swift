/// Has memes drawn, wherever their pictures are.
package struct Drawing: Sendable {
  /// Of recipes that name none.
  let defaultMaxEdge: MaxEdge
  private let memes: any MemeStore
  private let uploads: any UploadStore
  private let renderer: any MemeRenderer
  private let now: @Sendable () -> Timestamp

  /// - Parameter defaultMaxEdge: of recipes that name none.
  package init(
    memes: any MemeStore, uploads: any UploadStore, renderer: any MemeRenderer,
    defaultMaxEdge: MaxEdge, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.memes, self.uploads, self.renderer) = (memes, uploads, renderer)
    (self.defaultMaxEdge, self.now) = (defaultMaxEdge, now)
  }

  /// Draws on a picture that somebody sends or names.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` with the field that the picture came by, also where there is none of that
  ///   name; and what the renderer and the store throw.
  func draw(
    on source: PictureSource, _ recipe: Recipe, format: OutputFormat?,
    among formats: [OutputFormat] = OutputFormat.allCases, thumbnails: Bool
  ) async throws(MemeError) -> RenderedMeme {
    let order = RenderOrder(
      picture: try await picture(source), recipe: recipe,
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
      try memes.original(of: meme.id, at: meme.version)
    }
  }

  private func picture(_ source: PictureSource) async throws(MemeError) -> OrderedPicture {
    switch source {
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
