import Bytes
import HTTP
package import Memes
package import Services
package import Storage

/// Templates: create, list, show and delete.
package struct TemplateRoutes: Sendable {
  private let templates: Templates
  private let store: TemplateStore
  private let tokens: any TokenKeeper
  private let allowsAnonymous: Bool
  private let context: APIContext
  private let json: TemplateJSON
  private let form: Route.Body

  /// - Parameter allowsAnonymous: whether anonymous callers may create templates.
  package init(
    templates: Templates, store: TemplateStore, tokens: any TokenKeeper, allowsAnonymous: Bool,
    context: APIContext
  ) {
    (self.templates, self.store, self.tokens) = (templates, store, tokens)
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
      Route(.get, "/templates", access: .viewer, query: ["limit", "cursor"], list),
      Route(.get, "/templates/{id}", access: .viewer, about: .template, detail),
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
    let sent = try TemplateForm(call.request.body)
    let request = call.idempotentRequest(context.digest, keeping: created)
    let outcome = try await templates.keep(
      sent.picture, name: sent.name, altText: sent.altText, by: call.viewer, under: request)
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
    try query.finish()
    let page = try await store.templates(
      after: cursor.map(ListCursor.decode), limit: limit.count)
    let next = page.next.map(ListCursor.encode)
    var response = response(json.list(page.items, nextCursor: next))
    if let next { response.headers[.link] = json.link(to: next, limit) }
    return response
  }

  private func detail(_ call: Call) async throws -> Response {
    response(json.template(try await store.template(call.templateID())))
  }

  private func delete(_ call: Call) async throws -> Response {
    let id = try call.templateID()
    try await store.delete(
      id, by: call.viewer,
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
    var response = Response(stored: try await store.picture(role, of: call.templateID()))
    response.headers[.acceptRanges] = "bytes"
    // The picture never changes. Shared caches drop a deleted one within an hour.
    response.headers[.cacheControl] = "public, max-age=31536000, s-maxage=3600, immutable"
    return response
  }

  /// The response to a new template, without the delete token.
  private func created(_ template: Template) -> Response {
    var response = response(json.template(template))
    response.status = .created
    response.headers[.location] = HeaderValue(json.url(of: template.id))
    return response
  }

  private func response(_ body: Bytes) -> Response {
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(context.digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }

  private func withDeleteToken(
    _ response: Response, of template: TemplateID, for viewer: Principal
  ) -> Response {
    guard viewer.keepsByToken else { return response }
    return response.handingOut(deleteToken: tokens.deleteToken(for: .template(template)))
  }
}

extension Call {
  /// The ID of the template that the path names.
  ///
  /// - Throws: `notFound` if it is not a UUID.
  fileprivate func templateID() throws(Problem) -> TemplateID {
    guard let id = parameters["id"].flatMap({ TemplateID($0) }) else { throw Problem(.notFound) }
    return id
  }
}
