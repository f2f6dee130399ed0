import HTTP
package import Memes
package import Services
package import Storage

/// Pictures of memes: the image as stored, scaled down or in another format, the thumbnails, and the original.
package struct PictureRoutes: Sendable {
  private let memes: MemeStore
  private let renditions: Renditions
  private let formats: any WritableFormats
  private let negotiates: Bool

  /// - Parameter negotiates: whether `Accept` selects the format of an image if the request does not name one.
  package init(
    memes: MemeStore, renditions: Renditions, formats: any WritableFormats, negotiates: Bool
  ) {
    (self.memes, self.renditions) = (memes, renditions)
    (self.formats, self.negotiates) = (formats, negotiates)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memes/{id}/image", access: .viewer, query: ["v", "width", "format"],
        cachePolicy: .untilItsLookChanges, image),
      Route(
        .get, "/memes/{id}/thumbnail", access: .viewer, query: ["view", "v"],
        cachePolicy: .untilItsLookChanges, thumbnail),
      Route(.get, "/memes/{id}/original", access: .viewer, original),
    ]
  }

  private func image(_ call: Call) async throws -> Response {
    var query = call.query
    let formats = try await formats.available(
      naming: query.sentText("format"), or: negotiates ? call.accept : nil)
    let version = query.version()
    let width = query.number("width", PictureWidth.init(pixels:))?.steppedUp
    let format = query.word("format", among: formats)
    try query.finish()
    let id = try call.memeID()
    let isNegotiated = negotiates && format == nil
    let wish =
      isNegotiated
      ? RenditionRequest(
        width: width, formats: PictureNegotiation(accept: call.accept, formats: formats).choices)
      : RenditionRequest(width: width, format: format)
    if call.request.head.method == .head, !wish.isEmpty,
      case .missing(let key, let visibility) = try await renditions.look(
        at: id, version: version, as: wish, for: call.viewer)
    {
      let response = Response(unmade: key, for: visibility, version: version)
      return isNegotiated ? response.with(.vary, "Accept") : response
    }
    if isNegotiated { return try await negotiated(wish, id, version, for: call.viewer) }
    if wish.isEmpty { return try await picture(.image, call, version: version) }
    return Response(
      try await renditions.picture(of: id, version: version, as: wish, for: call.viewer),
      version: version)
  }

  private func negotiated(
    _ wish: RenditionRequest, _ id: MemeID, _ version: Int?, for viewer: Principal
  ) async throws -> Response {
    let (picture, isPreferred) = try await renditions.picture(
      of: id, version: version, preferring: wish, for: viewer)
    let response = Response(picture, version: version).with(.vary, "Accept")
    // Do not cache: a later request may get the preferred format.
    return isPreferred ? response : response.with(.cacheControl, "no-store")
  }

  private enum ThumbnailView: String, CaseIterable { case table, grid }

  private func thumbnail(_ call: Call) async throws -> Response {
    var query = call.query
    let view = query.word("view", ThumbnailView.self) ?? .grid
    let version = query.version()
    try query.finish()
    return try await picture(
      view == .table ? .tableThumbnail : .gridThumbnail, call, version: version)
  }

  private func original(_ call: Call) async throws -> Response {
    try await picture(.original, call)
      .with(.cacheControl, "private, no-cache").with(.crossOriginResourcePolicy, "same-origin")
  }

  private func picture(
    _ role: PictureRole, _ call: Call, version: Int? = nil
  ) async throws -> Response {
    let (id, head) = (try call.memeID(), call.request.head)
    // Without a token, the whole response goes to the cache, which answers the next requests without the database.
    let isKept = head.headers[.authorization] == nil
    if !isKept, head.method == .head || head.headers[.ifNoneMatch] != nil {
      let unread = Response(
        try await memes.unreadPicture(role, of: id, version: version, for: call.viewer),
        version: version)
      if try unread.sendsNothing(to: head) { return unread }
    }
    return Response(
      try await memes.picture(role, of: id, version: version, for: call.viewer), version: version)
  }
}

extension Response {
  /// Whether this complete response becomes one without a body: that to HEAD, or a 304.
  fileprivate func sendsNothing(to head: RequestHead) throws(Problem) -> Bool {
    if head.method == .head { return true }
    return try answering(head).status.isBodiless
  }
}
