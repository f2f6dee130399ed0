import HTTP
package import Memes
package import Services
package import Storage

/// Registration, and the account of the signed-in user.
package struct UserRoutes: Sendable {
  private let registration: Registration
  private let accounts: Accounts
  private let factors: SecondFactorStore
  private let rules: PasswordRules
  private let seal: Digester
  private let cookie: SessionCookie
  private let context: APIContext
  private let json: UserJSON
  private let body: Route.Body

  /// - Parameter seal: a keyed digest. Its input contains a password, which must not be guessable from the digest.
  package init(
    registration: Registration, accounts: Accounts, factors: SecondFactorStore,
    rules: PasswordRules, seal: @escaping Digester, cookie: SessionCookie, context: APIContext
  ) {
    (self.registration, self.accounts, self.factors) = (registration, accounts, factors)
    (self.rules, self.seal, self.cookie, self.context) = (rules, seal, cookie, context)
    json = UserJSON(basePath: context.basePath)
    body = .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/users", access: .open, limit: .registration, body: body, takesKeys: true, register),
      Route(.get, "/users/me", access: .person, takesTokens: true, me),
      Route(.patch, "/users/me", access: .person, limit: .password, body: body, change),
      Route(.delete, "/users/me", access: .leaving, limit: .password, body: body, leave),
      Route(
        .put, "/users/me/password", access: .person, limit: .password, body: body, changePassword),
    ]
  }

  private func register(_ call: Call) async throws -> Response {
    let application = try Registration.Application(call.request.body, rules)
    // Account data is stored in one place only, so the stored response has no body.
    let request: IdempotentRequest<User>? = call.idempotentRequest(
      context.digest, sealing: seal
    ) { _ in Response(.created) }
    switch try await registration.register(application, under: request) {
    case .registered(let user): return registered(user)
    case .repeated(let user, let first):
      var response = registered(user)
      let replayed = try first.replayedResponse()
      response.headers[.idempotentReplayed] = replayed.headers[.idempotentReplayed]
      return response
    }
  }

  private func registered(_ user: User) -> Response {
    var response = json.response(user, nil, .created)
    response.headers[.location] = HeaderValue("\(json.basePath)/users/\(user.username)")
    return response
  }

  private func me(_ call: Call) async throws -> Response {
    let person = try call.signedIn().person
    return json.response(
      try await accounts.user(person), try await factors.factor(of: person))
  }

  private func change(_ call: Call) async throws -> Response {
    let person = try call.signedIn().person
    var fields = try FieldDecoder(
      people: call.request.body, known: ["displayName", "bio", "email", "password", "username"])
    let displayName = fields.choice("displayName", DisplayName.init(_:))
    let biography = fields.choice("bio", Biography.init(_:))
    let email = fields.has("email") ? fields.required("email", EmailAddress.init) : nil
    let username =
      fields.has("username") ? fields.required("username", Username.init(wanted:)) : nil
    let password = fields.text("password", Password.init)
    try fields.finish()
    let change = ProfileChange(
      displayName: displayName, biography: biography, email: email, username: username)
    let user = try await accounts.change(
      change, of: person, password: password, from: call.network)
    return json.response(user, try await factors.factor(of: person))
  }

  private func leave(_ call: Call) async throws -> Response {
    let person = try call.signedIn().person
    var fields = try FieldDecoder(people: call.request.body, known: ["password"])
    let password = fields.required("password", Password.init)
    try fields.finish()
    guard let password else { throw Problem(.invalidInput) }
    try await accounts.delete(person, password: password, from: call.network)
    return cookie.forgotten(by: call)
  }

  private func changePassword(_ call: Call) async throws -> Response {
    let session = try call.session()
    var fields = try FieldDecoder(people: call.request.body, known: ["current", "new"])
    let current = fields.required("current", Password.init)
    let new = fields.required("new", rules.password)
    try fields.finish()
    guard let current, let new else { throw Problem(.invalidInput) }
    try await accounts.changePassword(
      of: session.person, from: current, to: new, rules: rules, keeping: session.id,
      from: call.network)
    return .noContent
  }
}

extension Registration.Application {
  /// Reads the body of `POST /users`.
  ///
  /// - Throws: `malformedRequest` if it is not a JSON object; `invalidInput` with every invalid field.
  fileprivate init(_ body: RequestBody, _ rules: PasswordRules) throws(Problem) {
    var fields = try FieldDecoder(
      people: body, known: ["username", "email", "password", "displayName", "invitation"])
    let username = fields.required("username", Username.init(wanted:))
    let email = fields.required("email", EmailAddress.init)
    let password = fields.required("password", rules.password)
    let displayName = fields.text("displayName", DisplayName.init(_:))
    let invitation = fields.text("invitation") { (text) in text }
    if let refusal = password.flatMap({ rules.refusal(of: $0, for: username, email) }) {
      fields.reject("password", code: refusal.code, refusal.message)
    }
    try fields.finish()
    guard let username, let email, let password else { throw Problem(.invalidInput) }
    self.init(
      username: username, email: email, password: password, displayName: displayName,
      invitation: invitation)
  }
}
