import Bytes
import HTTP
package import Memes
package import Services
package import Storage

/// Templates: create, list, show, change and delete.
package struct TemplateRoutes: Sendable {
  private let templates: Templates
  private let store: TemplateStore
  private let fonts: InstalledFonts
  private let tokens: any TokenKeeper
  private let allowsAnonymous: Bool
  private let context: APIContext
  private let json: TemplateJSON
  private let form: Route.Body

  /// - Parameter allowsAnonymous: whether anonymous callers may create templates.
  package init(
    templates: Templates, store: TemplateStore, fonts: InstalledFonts, tokens: any TokenKeeper,
    allowsAnonymous: Bool, context: APIContext
  ) {
    (self.templates, self.store, self.fonts, self.tokens) = (templates, store, fonts, tokens)
    (self.allowsAnonymous, self.context) = (allowsAnonymous, context)
    json = TemplateJSON(basePath: context.basePath)
    form = TemplateForm.body(maxUploadBytes: context.maxUploadBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/templates", access: allowsAnonymous ? .viewer : .credentials, takesTokens: true,
        limit: .upload,
        body: form, takesKeys: true, keep),
      Route(
        .delete, "/templates", access: .admin, takesTokens: true, query: ["anonymous", "dryRun"],
        deleteAnonymous),
      Route(
        .get, "/templates", access: .viewer, limit: .search, counting: ["q"],
        query: ["q", "tag", "sort", "limit", "cursor"], list),
      Route(.get, "/templates/{id}", access: .viewer, about: .template, detail),
      Route(
        .patch, "/templates/{id}", access: .credentials, takesTokens: true, limit: .change,
        body: .json(maximumBytes: TemplateForm.maximumBytes, spool: context.spool),
        about: .template, change),
      Route(
        .delete, "/templates/{id}", access: .credentials, takesTokens: true, limit: .change,
        about: .template, delete),
      Route(.get, "/templates/{id}/image", access: .viewer, about: .template) { call in
        try await picture(.picture, call)
      },
      Route(.get, "/templates/{id}/thumbnail", access: .viewer, about: .template) { call in
        try await picture(.thumbnail, call)
      },
    ]
  }

  private func keep(_ call: Call) async throws -> Response {
    let sent = try TemplateForm.read(call.request.body, faces: fonts.faces)
    let request = call.idempotentRequest(context.digest, keeping: created)
    let outcome = try await templates.keep(
      sent.picture, sent.fields, copying: sent.copied, by: call.viewer, under: request)
    switch outcome {
    case .kept(let template):
      return withDeleteToken(created(template), of: template.id, for: call.viewer)
    case .repeated(let first):
      let response = try first.replayedResponse()
      return withDeleteToken(response, of: TemplateID(first.made), for: call.viewer)
    }
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let limit = query.number("limit", PageLimit.init) ?? .standard
    let cursor = query.text("cursor") { (text) in text }
    var listing = TemplateListing(limit: limit.count)
    listing.query = query.text("q", TemplateQuery.init(_:))
    listing.tag = query.text("tag", Tag.init(_:))
    listing.order = query.word("sort", TemplateListing.Order.self) ?? .newest
    let texts = ["q", "tag", "sort"].compactMap { name in
      query.sentText(name).map { "\(name)=\($0.percentEncoded)&" }
    }
    try query.finish()
    if let cursor { listing.position = try ListCursor.decode(cursor, by: listing.ranking) }
    let page = try await store.templates(listing)
    let next = page.next.map(ListCursor.encode)
    return response(json.list(page.items, nextCursor: next))
      .with(.link, next.flatMap { json.link(to: $0, limit, texts.joined()) })
  }

  private func detail(_ call: Call) async throws -> Response {
    guard let name = call.parameters["id"], let reference = TemplateReference(name) else {
      throw Problem(.notFound)
    }
    return response(try await store.template(reference))
  }

  private func change(_ call: Call) async throws -> Response {
    let id: TemplateID = try call.id()
    let fields = try FieldDecoder(people: call.request.body, known: TemplateForm.members)
    return response(
      try await store.change(
        id, if: call.versionCondition(), by: call.viewer,
        recording: AuditEntry(
          at: context.now(), call.viewer, .editTemplate, .template(id), call.requestName)
      ) { base in
        var fields = fields
        let revised = fields.template(over: base, faces: fonts.faces)
        try fields.finish()
        return revised
      })
  }

  private func delete(_ call: Call) async throws -> Response {
    let id: TemplateID = try call.id()
    try await store.delete(
      id, if: call.versionCondition(), by: call.viewer,
      recording: AuditEntry(
        at: context.now(), call.viewer, .deleteTemplate, .template(id), call.requestName))
    return .noContent
  }

  private func deleteAnonymous(_ call: Call) async throws -> Response {
    var query = call.query
    let isDry = query.isTrue("dryRun")
    if query.word("anonymous", Sole.self) == nil {
      query.reject(
        "anonymous", code: "missing",
        "This parameter is required: you cannot delete all templates at once.")
    }
    try query.finish()
    let count =
      isDry
      ? try await store.anonymousCount()
      : try await templates.deleteAnonymous(by: call.authority())
    return .uncached { json in json.object { $0.member("count", count) } }
  }

  private enum Sole: String, CaseIterable { case `true` }

  private func picture(_ role: TemplateRole, _ call: Call) async throws -> Response {
    // The picture never changes. Shared caches drop a deleted one within an hour.
    Response(stored: try await store.picture(role, of: call.id()))
      .with(.acceptRanges, "bytes")
      .with(.cacheControl, "public, max-age=31536000, s-maxage=3600, immutable")
  }

  /// The response to a new template, without the delete token.
  private func created(_ template: Template) -> Response {
    var response = response(template).with(.location, HeaderValue(json.url(of: template.id)))
    response.status = .created
    return response
  }

  private func response(_ template: Template) -> Response {
    response(json.template(template), version: "\(template.version).")
  }

  private func response(_ body: Bytes, version: String = "") -> Response {
    .revalidated(body, version: version, context.digest)
  }

  private func withDeleteToken(
    _ response: Response, of template: TemplateID, for viewer: Principal
  ) -> Response {
    guard viewer.keepsByToken else { return response }
    return response.handingOut(deleteToken: tokens.deleteToken(for: .template(template)))
  }
}
