import HTTP
package import Memes
package import Services

/// Creates accounts.
package struct RegistrationRoutes: Sendable {
  private let registration: Registration
  private let rules: PasswordRules
  private let seal: Digester
  private let context: APIContext
  private let json: UserJSON

  /// - Parameter seal: a keyed digest. Its input contains a password, which must not be guessable from the digest.
  package init(
    registration: Registration, rules: PasswordRules, seal: @escaping Digester, context: APIContext
  ) {
    (self.registration, self.rules) = (registration, rules)
    (self.seal, self.context) = (seal, context)
    json = UserJSON(basePath: context.basePath)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/users", access: .open, limit: .registration, body: context.fieldsBody,
        takesKeys: true, register)
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
      let replayed = try first.replayedResponse()
      return registered(user).with(.idempotentReplayed, replayed.headers[.idempotentReplayed])
    }
  }

  private func registered(_ user: User) -> Response {
    json.response(user, nil, .created)
      .with(.location, HeaderValue("\(json.basePath)/users/\(user.username)"))
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
