import HTTP
import JSON
import Memes
package import Services
package import Storage

/// Connections: destinations to which the server posts events.
package struct ConnectionRoutes: Sendable {
  let connections: Connections
  let store: ConnectionStore
  let context: APIContext
  let answer: ListResponse
  let body: Route.Body

  package init(connections: Connections, store: ConnectionStore, context: APIContext) {
    (self.connections, self.store, self.context) = (connections, store, context)
    answer = ListResponse(context)
    body = context.fieldsBody
  }

  /// None accepts an `Idempotency-Key`, because the stored response could contain a secret.
  package var routes: [Route] {
    [
      route(.post, "/connections", body: body, make),
      route(.get, "/connections", list),
      route(.get, "/connections/{id}", show),
      route(.patch, "/connections/{id}", body: body, change),
      route(.delete, "/connections/{id}", delete),
      route(.put, "/connections/{id}/secret", body: body, changeSecret),
      route(.post, "/connections/{id}/actions/pause") { call in
        try await answer(to: call, store.pause)
      },
      route(.post, "/connections/{id}/actions/resume") { call in
        try await answer(to: call, store.resume)
      },
      route(.post, "/connections/{id}/actions/restart") { call in
        try await answer(to: call, store.restart)
      },
      route(.get, "/connections/{id}/actions/export", export),
      route(.post, "/connections/{id}/actions/import", body: body, importMappings),
      route(.get, "/connections/{id}/deliveries", query: ["limit", "cursor"], deliveries),
      route(.post, "/deliveries/{id}/actions/retry", retry),
    ] + mappingRoutes
  }

  /// A route for callers who may have connections.
  func route(
    _ method: Method, _ pattern: RoutePattern, query: Set<String> = [], body: Route.Body = .none,
    _ handler: @escaping Route.Handler
  ) -> Route {
    Route(
      method, pattern, access: .person, takesTokens: true, limit: method.isSafe ? nil : .change,
      query: query, body: body
    ) { [connections] call in
      try connections.check(call.viewer)
      return try await handler(call)
    }
  }

  private func make(_ call: Call) async throws -> Response {
    var fields = try FieldDecoder(
      people: call.request.body, known: ["name", "kind", "url", "scope", "secret"])
    let name = fields.required("name", TokenName.init(_:))
    let url = fields.required("url", RemoteURL.init(_:))
    _ = fields.word("kind", ConnectionKind.self)
    let scope = fields.word("scope", Connection.Scope.self) ?? .own
    let secret = fields.text("secret", WebhookSecret.init(_:))
    try fields.finish()
    guard let name, let url else { throw Problem(.invalidInput) }
    let made = try await connections.make(
      Connection.Terms(name: name, url: url, scope: scope), secret: secret, by: call.viewer)
    return ConnectionJSON.response(made, .created)
  }

  private func list(_ call: Call) async throws -> Response {
    let all = try await store.connections(for: call.viewer)
    return .uncached { ConnectionJSON.list(all, to: &$0) }
  }

  private func show(_ call: Call) async throws -> Response {
    ConnectionJSON.response(try await store.connection(call.id(), for: call.viewer))
  }

  private func change(_ call: Call) async throws -> Response {
    let id: ConnectionID = try call.id()
    var fields = try FieldDecoder(people: call.request.body, known: ["name", "url"])
    for name in ["name", "url"] where fields.isNull(name) { fields.require([name]) }
    let name = fields.text("name", TokenName.init(_:))
    let url = fields.text("url", RemoteURL.init(_:))
    try fields.finish()
    return ConnectionJSON.response(
      try await connections.change(id, name: name, url: url, by: call.viewer))
  }

  private func delete(_ call: Call) async throws -> Response {
    try await store.delete(call.id(), by: call.viewer)
    return .noContent
  }

  private func changeSecret(_ call: Call) async throws -> Response {
    let id: ConnectionID = try call.id()
    var fields = try FieldDecoder(people: call.request.body, known: ["secret"])
    let secret = fields.text("secret", WebhookSecret.init(_:))
    try fields.finish()
    return ConnectionJSON.response(
      try await connections.changeSecret(of: id, to: secret, by: call.viewer), .ok)
  }

  private func answer(
    to call: Call, _ action: (ConnectionID, Principal) async throws -> Connection
  ) async throws -> Response {
    ConnectionJSON.response(try await action(call.id(), call.viewer))
  }

  private func export(_ call: Call) async throws -> Response {
    let connection = try await store.connection(call.id(), for: call.viewer)
    return .uncached { ConnectionJSON.export(connection, at: context.now(), to: &$0) }
  }

  private func importMappings(_ call: Call) async throws -> Response {
    let id: ConnectionID = try call.id()
    var fields = try FieldDecoder(
      people: call.request.body, known: ["version", "connection", "mappings"])
    fields.require(["version", "mappings"])
    _ = fields.number("version") { number in
      guard number == 1 else {
        throw InvalidValue(code: "not-allowed", message: "Must be 1, the version of this format.")
      }
    }
    let mappings = fields.objects(
      "mappings", most: Mapping.maximumCount,
      known: ["id", "events", "filter", "format", "fields"]
    ) { fields -> (id: MappingID?, terms: Mapping.Terms)? in
      let id = fields.text("id") { text throws(InvalidValue) in
        guard let id = MappingID(text) else {
          throw InvalidValue(code: "invalid-uuid", message: "Must be a UUID.")
        }
        return id
      }
      return fields.mappingTerms().map { (id, $0) }
    }
    try fields.finish()
    guard let mappings else { throw Problem(.invalidInput) }
    return ConnectionJSON.response(
      try await connections.importMappings(mappings, into: id, by: call.viewer))
  }

  private func deliveries(_ call: Call) async throws -> Response {
    let id: ConnectionID = try call.id()
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await store.deliveries(
      of: id, for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit.count)
    return answer.response(page, at: "/connections/\(id)/deliveries", limit: limit) {
      ConnectionJSON.write($0, to: &$1)
    }
  }

  private func retry(_ call: Call) async throws -> Response {
    ConnectionJSON.response(
      try await store.retry(call.id(), by: call.viewer, at: context.now()), .accepted)
  }
}

private enum ConnectionKind: String, CaseIterable { case webhook }
