import HTTP
package import Memes
package import Services
package import Storage

/// The account of the signed-in user.
package struct UserRoutes: Sendable {
  private let accounts: Accounts
  private let factors: SecondFactorStore
  private let rules: PasswordRules
  private let cookie: SessionCookie
  private let json: UserJSON
  private let body: Route.Body

  package init(
    accounts: Accounts, factors: SecondFactorStore, rules: PasswordRules, cookie: SessionCookie,
    context: APIContext
  ) {
    (self.accounts, self.factors) = (accounts, factors)
    (self.rules, self.cookie) = (rules, cookie)
    json = UserJSON(basePath: context.basePath)
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(.get, "/users/me", access: .person, takesTokens: true, me),
      Route(.patch, "/users/me", access: .person, limit: .password, body: body, change),
      Route(.delete, "/users/me", access: .leaving, limit: .password, body: body, leave),
      Route(
        .put, "/users/me/password", access: .person, limit: .password, body: body, changePassword),
    ]
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
