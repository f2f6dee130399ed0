package import Bytes
import HTTP
package import Memes
package import Services

/// Sharing: links and texts, share counts and emails, the public page of a meme, and oEmbed.
package struct ShareRoutes: Sendable {
  private let sharing: Sharing
  private let browsing: Browsing
  private let address: PublicAddress
  private let digest: Digester
  private let pages: MemePages
  private let body: Route.Body

  /// - Parameter spool: where request bodies are stored while they arrive.
  package init(
    sharing: Sharing, browsing: Browsing, address: PublicAddress, digest: @escaping Digester,
    basePath: String, spool: SpoolPlace
  ) {
    (self.sharing, self.browsing, self.address) = (sharing, browsing, address)
    self.digest = digest
    pages = MemePages(address: address, basePath: basePath, digest: digest)
    body = .json(maximumBytes: ShareRequest.maximumBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(.get, "/memes/{id}/share", access: .viewer, cachePolicy: .untilItsLookChanges, links),
      Route(
        .post, "/memes/{id}/shares", access: .viewer, limit: .share, body: body, takesKeys: true,
        share),
      Route(
        .get, "/m/{id}", access: .viewer, takesAnyQuery: true, cachePolicy: .untilItsLookChanges,
        page),
      Route(
        .get, "/oembed", access: .viewer, query: ["url", "maxwidth", "maxheight", "format"],
        takesAnyQuery: true, embed),
    ]
  }

  private func links(_ call: Call) async throws -> Response {
    let meme = try await browsing.meme(call.memeID(), for: call.viewer)
    var json = JSONWriter(capacity: 2048)
    ShareLinks(meme, at: address).write(to: &json)
    return answer("application/json", json.finish())
  }

  private func share(_ call: Call) async throws -> Response {
    let id = try call.memeID()
    let share = try ShareRequest(call.request.body)
    let retry = call.retry(digest) { (_: Void) in .noContent }
    let outcome =
      if let recipient = share.to {
        try await sharing.send(
          id, to: recipient, url: address.page(of: id), by: call.viewer, under: retry)
      } else {
        try await sharing.record(share.channel, of: id, by: call.viewer, under: retry)
      }
    switch outcome {
    case .counted: return .noContent
    case .repeated(let first): return try first.response()
    }
  }

  private func page(_ call: Call) async throws -> Response {
    do {
      return pages.response(try await browsing.meme(call.memeID(), for: call.viewer))
    } catch {
      // Most clients here are browsers that followed a link, so a page is better than a problem document.
      let problem = Problem(error)
      guard call.accept.prefersPage, let page = MemePages.missing(problem.kind) else {
        throw problem
      }
      return page
    }
  }

  private func embed(_ call: Call) async throws -> Response {
    var query = call.query
    let url = query.text("url") { (text) in text }
    query.require(["url"])
    let (maxWidth, maxHeight) = (query.pixels("maxwidth"), query.pixels("maxheight"))
    let format = query.text("format") { (text) in text }
    try query.finish()
    // oEmbed 1.0 §2.3: a request for an unsupported format gets a 501.
    guard format ?? "json" == "json" else { throw Problem(.unsupportedFormat) }
    guard let id = url.flatMap(address.meme(atPage:)) else { throw Problem(.notFound) }
    var json = JSONWriter(capacity: 1024)
    Embedding(
      meme: try await browsing.meme(id, for: call.viewer), address: address, maxWidth: maxWidth,
      maxHeight: maxHeight
    ).write(to: &json)
    return answer("application/json", json.finish())
  }

  private func answer(_ mediaType: HeaderValue, _ body: Bytes) -> Response {
    var response = Response(.ok, mediaType, body)
    response.headers[.etag] = HeaderValue("\"\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }
}

extension FieldDecoder {
  /// Reads the maximum width or height of a picture, in pixels.
  fileprivate mutating func pixels(_ name: String) -> Int? {
    number(name) { number in
      guard number >= 1 else {
        throw InvalidValue(code: "out-of-range", message: "At least 1 pixel.")
      }
      return number
    }
  }
}

extension Accept {
  /// Whether the client prefers an error as a page over a problem document. Browsers do, because they name HTML.
  fileprivate var prefersPage: Bool {
    quality(of: "text/html") > quality(of: "application/problem+json")
  }
}
