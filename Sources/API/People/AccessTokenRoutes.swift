import HTTP
import JSON
import Memes
package import Services
package import Storage

/// Access tokens of scripts and bots. A user makes, lists and deletes them with a session, never with a token.
package struct AccessTokenRoutes: Sendable {
  private let tokens: AccessTokens
  private let store: AccessTokenStore
  private let context: APIContext
  private let body: Route.Body

  package init(tokens: AccessTokens, store: AccessTokenStore, context: APIContext) {
    (self.tokens, self.store, self.context) = (tokens, store, context)
    body = context.fieldsBody
  }

  /// None accepts an `Idempotency-Key`, because the stored response would contain the token.
  package var routes: [Route] {
    [
      Route(.post, "/users/me/tokens", access: .person, limit: .password, body: body, make),
      Route(.get, "/users/me/tokens", access: .person, list),
      Route(.delete, "/users/me/tokens/{id}", access: .person, limit: .change, delete),
      Route(.post, "/auth/{app}", access: .person, limit: .password, body: body, link),
    ]
  }

  private func make(_ call: Call) async throws -> Response {
    let session = try call.session()
    var fields = try FieldDecoder(
      people: call.request.body, known: ["name", "scopes", "expiresAt", "password", "code"])
    let name = fields.required("name", TokenName.init(_:))
    let scopes = fields.scopes("scopes")
    let expiresAt = fields.text("expiresAt", Timestamp.init(_:))
    let password = fields.text("password", Password.init)
    let code = fields.text("code") { (text) in text }
    try fields.finish()
    guard let name, let scopes else { throw Problem(.invalidInput) }
    return AccessTokenJSON.response(
      try await tokens.make(
        AccessToken.Terms(name: name, scopes: scopes, expiresAt: expiresAt),
        proof: IdentityCheck.Proof(
          session: session, password: password, code: code, acceptsSignIn: true),
        from: call.network))
  }

  /// Makes a token for an app, which has its name.
  ///
  /// A browser sends its cookie without the user's knowledge, so a caller with a cookie must also send the password.
  private func link(_ call: Call) async throws -> Response {
    let session = try call.session()
    guard let name = call.parameters["app"].flatMap({ try? TokenName($0) }) else {
      throw Problem(.notFound)
    }
    var fields = try FieldDecoder(
      people: call.request.body, known: ["expiresAt", "password", "code"])
    let expiresAt = fields.text("expiresAt", Timestamp.init(_:))
    let password = fields.text("password", Password.init)
    let code = fields.text("code") { (text) in text }
    try fields.finish()
    let hasBearer = call.request.head.headers[.authorization] != nil
    return AccessTokenJSON.response(
      try await tokens.make(
        AccessToken.Terms(name: name, scopes: .app, expiresAt: expiresAt),
        proof: IdentityCheck.Proof(
          session: session, password: password, code: code, acceptsSignIn: hasBearer),
        from: call.network))
  }

  private func list(_ call: Call) async throws -> Response {
    let all = try await store.tokens(of: call.session().person, at: context.now())
    return Response.uncached { AccessTokenJSON.list(all, to: &$0) }
  }

  private func delete(_ call: Call) async throws -> Response {
    let person = try call.session().person
    try await store.delete(call.id(), of: person)
    return .noContent
  }
}

extension FieldDecoder {
  /// Reads the required array of scopes; `nil` if it is invalid.
  fileprivate mutating func scopes(_ name: String) -> TokenScopes? {
    guard case .array(let elements) = sentJSON(name) else {
      reject(name, code: has(name) ? "not-an-array" : "missing", Self.scopesMessage)
      return nil
    }
    let scopes = elements.map { element -> TokenScope? in
      if case .text(let text) = element { TokenScope(rawValue: text) } else { nil }
    }
    guard !scopes.contains(nil), let all = TokenScopes(Set(scopes.compactMap(\.self))) else {
      reject(name, code: "not-allowed", Self.scopesMessage)
      return nil
    }
    return all
  }

  private static let scopesMessage = "Must be an array of at least one of read, write and admin."
}
