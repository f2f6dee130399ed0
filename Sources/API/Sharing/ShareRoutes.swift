import Bytes
import HTTP
import Memes
package import Services
package import Storage

/// Sharing: links and texts, share counts and emails, the public page of a meme, and oEmbed.
package struct ShareRoutes: Sendable {
  private let sharer: Sharer
  private let memes: MemeStore
  private let address: PublicAddress
  private let context: APIContext
  private let pages: MemePages
  private let body: Route.Body

  /// - Parameter linksAtom: whether the pages link to Atom feeds.
  package init(
    sharer: Sharer, memes: MemeStore, address: PublicAddress, linksAtom: Bool, context: APIContext
  ) {
    (self.sharer, self.memes, self.address, self.context) = (sharer, memes, address, context)
    pages = MemePages(
      address: address, basePath: context.basePath, linksAtom: linksAtom, digest: context.digest)
    body = .json(maximumBytes: ShareRequest.maximumBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(.get, "/memes/{id}/share", access: .viewer, cachePolicy: .untilItsLookChanges, links),
      Route(
        .post, "/memes/{id}/shares", access: .viewer, limit: .share, body: body, takesKeys: true,
        share),
      Route(
        .get, "/m/{id}", access: .viewer, takesAnyQuery: true, cachePolicy: .untilItsLookChanges,
        page
      ).showing(errorPage: pages.errorPage),
      Route(
        .get, "/oembed", access: .viewer, query: ["url", "maxwidth", "maxheight", "format"],
        takesAnyQuery: true, embed),
    ]
  }

  private func links(_ call: Call) async throws -> Response {
    let meme = try await memes.meme(call.memeID(), for: call.viewer)
    var json = JSONWriter(capacity: 2048)
    ShareLinks(meme, at: address).write(to: &json)
    return response(json.finish())
  }

  private func share(_ call: Call) async throws -> Response {
    let id = try call.memeID()
    let share = try ShareRequest(call.request.body)
    let request = call.idempotentRequest(context.digest) { (_: Void) in .noContent }
    let outcome =
      if let recipient = share.to {
        try await sharer.send(
          id, to: recipient, url: address.page(of: id), by: call.viewer, under: request)
      } else {
        try await sharer.record(share.channel, of: id, by: call.viewer, under: request)
      }
    switch outcome {
    case .counted: return .noContent
    case .repeated(let first): return try first.replayedResponse()
    }
  }

  private func page(_ call: Call) async throws -> Response {
    pages.response(try await memes.meme(call.memeID(), for: call.viewer))
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
      meme: try await memes.meme(id, for: call.viewer), address: address, maxWidth: maxWidth,
      maxHeight: maxHeight
    ).write(to: &json)
    return response(json.finish())
  }

  private func response(_ body: Bytes) -> Response {
    .revalidated(body, context.digest)
  }
}

extension FieldDecoder {
  /// Reads the maximum width or height of a picture, in pixels.
  fileprivate mutating func pixels(_ name: String) -> Int? {
    number(name) { number in
      guard number >= 1 else {
        throw InvalidValue(code: "out-of-range", message: "Must be at least 1.")
      }
      return number
    }
  }
}
