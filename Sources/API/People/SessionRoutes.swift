package import Bytes
package import HTTP
package import Memes

/// Signing in and out, on every device.
package struct SessionRoutes: Sendable {
  private let signingIn: SigningIn
  private let sessions: Sessions
  private let cookie: SessionCookie
  private let origin: OwnOrigin
  private let json: UserJSON
  private let body: Route.Body

  /// - Parameters:
  ///   - origin: of the pages that may ask for a cookie.
  ///   - spool: where bodies wait while they arrive.
  package init(
    signingIn: SigningIn, sessions: Sessions, cookie: SessionCookie, origin: OwnOrigin,
    basePath: String,
    spool: SpoolPlace
  ) {
    (self.signingIn, self.sessions) = (signingIn, sessions)
    (self.cookie, self.origin, json) = (cookie, origin, UserJSON(basePath: basePath))
    body = .json(maximumBytes: FieldReader.maximumPeopleBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(.post, "/sessions", access: .open, limit: .password, body: body, signIn),
      Route(.get, "/sessions", access: .person, list),
      // It has no limit: who stole a session could use it up, and keep its owner from ending that. Once is all it can be sent.
      Route(.delete, "/sessions", access: .leaving, endAll),
      Route(.delete, "/sessions/{session}", access: .leaving, limit: .change, end),
    ]
  }

  private func signIn(_ call: Call) async throws -> Response {
    var fields = try FieldReader(
      people: call.request.body, known: ["username", "password", "cookie"])
    let name = fields.required("username") { (text) throws(InvalidValue) in text }
    let password = fields.required("password", Password.init)
    let wantsCookie = fields.flag("cookie") ?? false
    try fields.finish()
    guard let name, let password else { throw Problem(.invalidInput) }
    // Else another site could sign somebody in as somebody else, and see what they then do.
    guard !wantsCookie || origin.sent(call.request.head.headers) else { throw Problem(.crossSite) }
    let client = call.request.head.headers[.userAgent].flatMap { ClientName($0.text) }
    let signedIn = try await signingIn.signIn(
      as: Login(name), with: password, on: client, from: call.network)
    return response(signedIn, asCookie: wantsCookie)
  }

  private func response(_ signedIn: SignedIn, asCookie: Bool) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      // What a page can read, a script that got into it can send elsewhere.
      writer.member("token", asCookie ? nil : signedIn.token)
      writer.member("expiresAt", sessions.lifetime.expiry(of: signedIn.session).description)
      writer.name("user")
      json.own(signedIn.user, to: &writer)
    }
    var response = Response(.created, "application/json", writer.finish())
    response.headers[.cacheControl] = "no-store"
    if asCookie {
      response.headers[.setCookie] = cookie.set(
        signedIn.token, seconds: sessions.lifetime.maximumSeconds)
    }
    return response
  }

  private func list(_ call: Call) async throws -> Response {
    let current = try call.signedIn()
    let all = try await sessions.all(of: current.person)
    var json = JSONWriter(capacity: 2048)
    SessionJSON.list(all, lifetime: sessions.lifetime, current: current.id, to: &json)
    var response = Response(.ok, "application/json", json.finish())
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private func end(_ call: Call) async throws -> Response {
    let current = try call.signedIn()
    let name = call.parameters["session"] ?? ""
    guard let id = name == "current" ? current.id : SessionID(name) else {
      throw Problem(.notFound)
    }
    try await sessions.end(id, of: current.person)
    return id == current.id ? cookie.forgotten(by: call) : .noContent
  }

  private func endAll(_ call: Call) async throws -> Response {
    try await sessions.endAll(of: call.signedIn().person)
    return cookie.forgotten(by: call)
  }
}

extension SessionCookie {
  /// 204, which makes a browser that showed the cookie forget it.
  func forgotten(by call: Call) -> Response {
    var response = Response.noContent
    // Of two cookies this would leave the one that somebody else set.
    if tokens(in: call.request.head.headers).count == 1 { response.headers[.setCookie] = cleared }
    return response
  }
}
