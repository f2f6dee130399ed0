import HTTP
import Memes

/// `GET /memes/{id}/image`: as it is, smaller, or as another kind of file.
extension MemeRoutes {
  func image(_ call: Call) async throws -> Response {
    var query = call.query
    let formats = try await formats.available(
      naming: query.sentText("format"), or: negotiates ? call.accept : nil)
    let version = query.version()
    let width = query.number("width", PictureWidth.init(pixels:))
    let format = query.word("format", among: formats)
    try query.finish()
    let id = try call.memeID()
    if negotiates, format == nil {
      let choices = PictureNegotiation(accept: call.accept, formats: formats).choices
      let wish = PictureWish(width: width, formats: choices)
      return try await negotiated(wish, id, version, for: call.viewer)
    }
    let wish = PictureWish(width: width, format: format)
    let picture =
      wish.isEmpty
      ? try await browsing.picture(.image, of: id, version: version, for: call.viewer)
      : try await deriving.picture(of: id, version: version, as: wish, for: call.viewer)
    return Response(picture, version: version)
  }

  private func negotiated(
    _ wish: PictureWish, _ id: MemeID, _ version: Int?, for viewer: Viewer
  ) async throws -> Response {
    let (picture, isPreferred) = try await deriving.picture(
      of: id, version: version, preferring: wish, for: viewer)
    var response = Response(picture, version: version)
    response.headers[.vary] = "Accept"
    // The next one to ask may get what is preferred.
    if !isPreferred { response.headers[.cacheControl] = "no-store" }
    return response
  }
}
