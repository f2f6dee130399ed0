import HTTP
import Memes
import Services

/// `GET /memes/{id}/image`: the picture as stored, scaled down, or in another format.
extension MemeRoutes {
  func image(_ call: Call) async throws -> Response {
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
      case .missing(let key, let visibility) = try await deriving.look(
        at: id, version: version, as: wish, for: call.viewer)
    {
      var response = Response(unmade: key, for: visibility, version: version)
      if isNegotiated { response.headers[.vary] = "Accept" }
      return response
    }
    if isNegotiated { return try await negotiated(wish, id, version, for: call.viewer) }
    let picture =
      wish.isEmpty
      ? try await browsing.picture(.image, of: id, version: version, for: call.viewer)
      : try await deriving.picture(of: id, version: version, as: wish, for: call.viewer)
    return Response(picture, version: version)
  }

  private func negotiated(
    _ wish: RenditionRequest, _ id: MemeID, _ version: Int?, for viewer: Principal
  ) async throws -> Response {
    let (picture, isPreferred) = try await deriving.picture(
      of: id, version: version, preferring: wish, for: viewer)
    var response = Response(picture, version: version)
    response.headers[.vary] = "Accept"
    // Do not cache: a later request may get the preferred format.
    if !isPreferred { response.headers[.cacheControl] = "no-store" }
    return response
  }
}
