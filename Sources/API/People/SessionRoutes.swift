import Bytes
package import HTTP
import Memes
package import Services
package import Storage

/// Sign-in, sign-out and the sessions of all devices.
package struct SessionRoutes: Sendable {
  private let signIn: SignIn
  private let sessions: SessionStore
  private let factors: SecondFactorStore
  private let cookie: SessionCookie
  private let origin: SameOriginCheck
  private let context: APIContext
  private let json: UserJSON
  private let body: Route.Body
  private let signOnName: String?

  /// - Parameters:
  ///   - origin: the origin whose pages may request a session cookie.
  ///   - signOnName: how users know the provider of single sign-ons; `nil` if there is none.
  package init(
    signIn: SignIn, _ stores: (sessions: SessionStore, factors: SecondFactorStore),
    cookie: SessionCookie, origin: SameOriginCheck, signOnName: String?, context: APIContext
  ) {
    self.signOnName = signOnName
    (self.signIn, (sessions, factors)) = (signIn, stores)
    self.context = context
    (self.cookie, self.origin, json) = (cookie, origin, UserJSON(basePath: context.basePath))
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(.post, "/sessions", access: .open, limit: .password, body: body, begin),
      Route(.get, "/sessions", access: .person, list),
      // No rate limit: an attacker with a stolen session could exhaust it, and prevent the owner from ending all
      // sessions. A session can send this request only once.
      Route(.delete, "/sessions", access: .leaving, query: ["keepTokens"], endAll),
      Route(.delete, "/sessions/{session}", access: .leaving, limit: .change, end),
    ]
  }

  private func begin(_ call: Call) async throws -> Response {
    var fields = try FieldDecoder(
      people: call.request.body, known: ["username", "password", "code", "cookie"])
    let name = fields.required("username") { (text) in text }
    let password = fields.required("password", Password.init)
    let code = fields.text("code") { (text) in text }
    let wantsCookie = fields.flag("cookie") ?? false
    try fields.finish()
    guard let name, let password else { throw Problem(.invalidInput) }
    // Otherwise, another site could sign a user in to the attacker's account, and the attacker could see
    // what the user does.
    guard !wantsCookie || origin.sent(call.request.head.headers) else { throw Problem(.crossSite) }
    let client = call.request.head.headers[.userAgent].flatMap { ClientName($0.text) }
    let signedIn: SignedIn
    do {
      signedIn = try await signIn.signIn(
        SignIn.Credentials(login: Login(name), password: password, code: code), on: client,
        from: call.network)
    } catch MemeError.wrongCredentials { throw wrongCredentials }
    let factor = try await factors.factor(of: signedIn.user.id)
    return response(signedIn, factor, asCookie: wantsCookie)
  }

  /// Apps learn here whether there is another way to sign in: an account of a single sign-on may have no password.
  private var wrongCredentials: Problem {
    var problem = Problem(.wrongCredentials)
    guard let signOnName else { return problem }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("name", signOnName)
      writer.member("url", "\(context.basePath)/oidc/start")
    }
    problem.member = writer.finish().utf8Text.map { Problem.Member("singleSignOn", json: $0) }
    return problem
  }

  private func response(_ signedIn: SignedIn, _ factor: SecondFactor?, asCookie: Bool) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      // Do not let pages read the token: an injected script could send it to another server.
      writer.member("token", asCookie ? nil : signedIn.token)
      writer.member("expiresAt", sessions.lifetime.expiry(of: signedIn.session).description)
      writer.name("user")
      json.own(signedIn.user, factor, to: &writer)
    }
    let set = cookie.set(signedIn.token, seconds: sessions.lifetime.maximumSeconds)
    return Response(.created, "application/json", writer.finish())
      .with(.cacheControl, "no-store").with(.setCookie, asCookie ? set : nil)
  }

  private func list(_ call: Call) async throws -> Response {
    let current = try call.session()
    let all = try await sessions.sessions(of: current.person, at: context.now())
    var json = JSONWriter(capacity: 2048)
    SessionJSON.list(all, lifetime: sessions.lifetime, current: current.id, to: &json)
    return Response(.ok, "application/json", json.finish()).with(.cacheControl, "no-store")
  }

  private func end(_ call: Call) async throws -> Response {
    let current = try call.session()
    let name = call.parameters["session"] ?? ""
    guard let id = name == "current" ? current.id : SessionID(name) else {
      throw Problem(.notFound)
    }
    try await sessions.end(id, of: current.person)
    return id == current.id ? cookie.forgotten(by: call) : .noContent
  }

  private func endAll(_ call: Call) async throws -> Response {
    let person = try call.session().person
    var query = call.query
    let keepsTokens = query.isTrue("keepTokens")
    try query.finish()
    try await sessions.endAll(of: person, keepingTokens: keepsTokens)
    return cookie.forgotten(by: call)
  }
}

extension SessionCookie {
  /// Returns 204 and deletes the session cookie of the browser.
  func forgotten(by call: Call) -> Response {
    // With two cookies, deleting this one would leave the other one, which an attacker may have set.
    let isOnly = tokens(in: call.request.head.headers).count == 1
    return .noContent.with(.setCookie, isOnly ? cleared : nil)
  }
}
