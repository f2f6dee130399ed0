import Bytes
import HTTP
package import Memes
import Services

/// Memes that are drawn from an address, for chat bots and Markdown. The addresses are like those of memegen.
package struct LinkRoutes: Sendable {
  private let maker: LinkMaker
  private let formats: any WritableFormats
  private let context: APIContext

  package init(maker: LinkMaker, formats: any WritableFormats, context: APIContext) {
    (self.maker, self.formats, self.context) = (maker, formats, context)
  }

  package var routes: [Route] {
    let query = LinkForm.options.union(["s"])
    // The parameters with pictures of other servers.
    let remote: Set = ["background", "style"]
    let lines = RoutePattern("/images/{template}/{lines}").matchingRest
    return [
      Route(
        .get, "/images/{template}", access: .signed, limit: .preview, counting: remote,
        query: query,
        cachePolicy: .untilItsTemplateChanges, draw),
      Route(
        .get, lines, access: .signed, limit: .preview, counting: remote, query: query,
        cachePolicy: .untilItsTemplateChanges, draw),
      Route(
        .post, "/links", access: .viewer, limit: .change,
        body: .json(maximumBytes: LinkForm.maximumBytes, spool: context.spool), link),
    ]
  }

  private func draw(_ call: Call) async throws -> Response {
    let sent = [call.parameters["template"] ?? ""] + call.parameters.rest
    func isShort(_ segment: String) -> Bool {
      segment.utf8.count <= MemeLink.maximumSegmentBytes
    }
    guard sent.allSatisfy(isShort) else { throw Problem(.uriTooLong) }
    let link = MemeLink(template: sent[0], lines: call.parameters.rest, maker.emoji)
    // The name of an emoji may be shorter than the emoji.
    let canonical = link.segments
    guard canonical.allSatisfy(isShort) else { throw Problem(.uriTooLong) }
    let isShared = try permits(link, call)
    var query = call.query
    let options = query.linkOptions(faces: maker.fonts.faces)
    _ = query.text("s") { (text) in text }
    try query.finish()
    // First, so that no picture of another server is fetched for a redirect.
    if link.ending != nil, canonical != sent {
      return redirect(.movedPermanently, to: link, call)
    }
    let ground = try await maker.memes.ground(link.template, options)
    guard let ending = link.ending else {
      let suited = MemeLink.Ending(suiting: ground)
      let target =
        call.parameters.rest.isEmpty
        ? maker.example(of: ground.fields, at: link.template, as: suited)
        : maker.link(to: link.template, link.texts, as: suited)
      return redirect(.found, to: target, call)
    }
    let available = try await formats.available(naming: ending.format.rawValue)
    guard available.contains(ending.format) else { throw Problem(.notFound) }
    let recipe = try maker.memes.recipe(with: link.texts, on: ground, options)
    let pictures = try await maker.memes.pictures(options, on: ground)
    let file = try await maker.memes.picture(
      on: ground, recipe, pictures, options, as: ending.format)
    var response = Response(picture: file, for: isShared ? .public : .private)
    response.headers[.acceptRanges] = "bytes"
    // The template may change or be deleted.
    if isShared { response.headers[.cacheControl] = "public, max-age=3600" }
    // Other spellings of the address lead to the same response. They must not fill the cache.
    let target = maker.target(of: link, LinkForm.query(options))
    if let template = ground.template, pictures.isEmpty, call.request.head.target.raw == target {
      response.listed = [template.uuid]
    }
    return response
  }

  /// - Returns: whether everyone who has the address may see the picture.
  /// - Throws: `unauthorized` if the server draws this address only for callers with credentials, or signed.
  private func permits(_ link: MemeLink, _ call: Call) throws(Problem) -> Bool {
    guard maker.signature.isRequired else { return true }
    let query = LinkQuery(call.request.head.target.rawQuery)
    if let code = query.signature, maker.signature.verifies(code, of: link.path + query.rest) {
      return true
    }
    guard call.viewer.isSignedIn else {
      throw Problem(
        .unauthorized, "This server draws only signed addresses without credentials.")
    }
    return false
  }

  private func redirect(_ status: Status, to link: MemeLink, _ call: Call) -> Response {
    let query = LinkQuery(call.request.head.target.rawQuery)
    // Callers with credentials need no signature.
    let target =
      query.signature == nil ? link.path + query.rest : maker.target(of: link, query.rest)
    // Browsers check the policy of the redirect, too (Fetch, "HTTP fetch"). That of the picture decides which sites can
    // show it.
    return Response(status)
      .with(.location, HeaderValue("\(context.basePath)\(target)"))
      .with(.cacheControl, "no-cache")
      .with(.crossOriginResourcePolicy, "cross-origin")
  }

  private func link(_ call: Call) async throws -> Response {
    try maker.checkAccess(call)
    var fields = try FieldDecoder(people: call.request.body, known: LinkForm.members)
    fields.require(["template"])
    let options = fields.linkOptions(faces: maker.fonts.faces)
    let name = fields.text("template") { (text) in text } ?? ""
    let texts = fields.texts("texts") { (texts: [String]) throws(InvalidValue) in texts } ?? []
    let ending = fields.word("format", MemeLink.Ending.self)
    try fields.finish()
    let url = try await maker.url(
      to: name, in: "template", texts, as: ending, options, field: "texts")
    return .uncached { json in json.object { $0.member("url", url) } }
  }
}

/// The query of an address, without its signature.
private struct LinkQuery {
  /// With its question mark; empty if there is nothing else.
  let rest: String
  let signature: String?

  init(_ query: Substring) {
    let parts = query.dropFirst().split(separator: "&")
    let rest = parts.filter { !$0.hasPrefix("s=") }
    self.rest = rest.isEmpty ? "" : "?\(rest.joined(separator: "&"))"
    signature = parts.first { $0.hasPrefix("s=") }.map { String($0.dropFirst(2)) }
  }
}
