import API
import Memes
import Outgoing
import Rendering
import Services

extension SharedParts {
  /// The routes for memes, their pictures, uploads and templates.
  ///
  /// - Parameter renditions: makes pictures in other sizes and formats.
  func memeRoutes(_ renditions: Renditions) throws -> [Route] {
    let (settings, renderer) = (resources.settings, resources.renderer)
    let drawing = MemeDrawing(
      memes: stores.memes, uploads: stores.uploads, templates: stores.templates,
      renderer: renderer, defaultMaxEdge: try MaxEdge(pixels: settings.renderMaxEdge),
      now: services.now)
    let publisher = Publisher(
      store: stores.memes, drawing: drawing, room: room, context: services)
    let editor = MemeEditor(
      store: stores.memes, drawing: drawing, formats: formats, room: room, now: services.now)
    let drafts = DraftReader(settings: stores.settings, fonts: fonts, formats: formats)
    return [
      NewMemeRoutes(
        publisher: publisher, memes: stores.memes, drafts: drafts, tokens: tokens,
        context: context
      ).routes,
      MemeRoutes(
        memes: stores.memes, editor: editor, trash: trash,
        claim: MemeClaim(store: stores.memes, tokens: tokens), fonts: fonts,
        context: context
      ).routes,
      MemeListRoutes(memes: stores.memes, context: context).routes,
      TagRoutes(memes: stores.memes, context: context).routes,
      PictureRoutes(
        memes: stores.memes, renditions: renditions, formats: formats,
        negotiates: settings.negotiate
      ).routes,
      TemplateRoutes(
        templates: Templates(
          store: stores.templates, drawing: drawing, copier: renderer, room: room,
          context: services),
        store: stores.templates, fonts: fonts, tokens: tokens,
        allowsAnonymous: settings.anonymousTemplates,
        context: context
      ).routes,
      FontRoutes(fonts: fonts, context: context).routes,
      try linkRoutes(),
    ].flatMap(\.self)
  }

  /// Memes by address, which are drawn with patience.
  private func linkRoutes() throws -> [Route] {
    let settings = resources.settings
    func drawing(by renderer: PooledRenderer) throws -> MemeDrawing {
      MemeDrawing(
        memes: stores.memes, uploads: stores.uploads, templates: stores.templates,
        renderer: renderer, defaultMaxEdge: try MaxEdge(pixels: settings.renderMaxEdge),
        now: services.now)
    }
    // The limits of uploads, because the files come from anywhere.
    let strict = resources.renderer.patient
    let client = PictureDownloads(
      Destinations(allowing: settings.connectionsAllow),
      maximumBytes: min(settings.maxUploadBytes, LinkedMemes.maximumDownloadBytes))
    let downloads = LinkedMemes.Downloads(
      from: settings.pictureHosts, reader: strict, drawing: try drawing(by: strict),
      now: services.now
    ) { await client.picture(at: $0) }
    let key = settings.linkKey.map { Array($0.utf8) } ?? tokens.key(for: "links")
    let maker = LinkMaker(
      memes: LinkedMemes(
        templates: stores.templates, drawing: try drawing(by: resources.patientRenderer()),
        downloads: downloads,
        cacheBytes: min(settings.memoryCacheBytes, 16 << 20)),
      fonts: fonts,
      signature: LinkSignature(
        key: key, isRequired: settings.linkKey != nil || !settings.anonymous),
      address: address, emoji: EmojiNames(Assets.emojiNames))
    return LinkRoutes(maker: maker, formats: formats, context: context).routes
      + MemegenRoutes(maker: maker, templates: stores.templates, context: context).routes
  }

  /// Pictures in other sizes and formats, which are drawn with patience.
  func renditions() -> Renditions {
    Renditions(
      memes: stores.memes, derived: stores.derived,
      renderer: resources.patientRenderer(),
      hasRoom: resources.hasRoom, report: resources.log.notDerived)
  }

  /// Uploads in pieces.
  func resumableUploads() -> ResumableUploads {
    ResumableUploads(
      store: stores.uploads, reader: resources.renderer, place: context.spool,
      limit: UnfinishedUploadLimit(count: 32, bytes: 8 * resources.settings.maxUploadBytes),
      room: room, context: services)
  }

  /// - Parameter resumable: receives uploads in pieces.
  func uploadRoutes(_ resumable: ResumableUploads) -> [Route] {
    UploadRoutes(
      uploads: Uploads(
        store: stores.uploads, reader: resources.renderer, room: room,
        idempotency: services.idempotency, now: services.now),
      resumable: resumable, context: context
    ).routes
  }
}
