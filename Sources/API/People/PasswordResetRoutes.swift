import HTTP
package import Memes
package import Services

/// Password resets. These routes ignore session credentials: only the token from the email counts.
package struct PasswordResetRoutes: Sendable {
  private let resets: PasswordResets
  private let rules: PasswordRules
  private let body: Route.Body

  package init(resets: PasswordResets, rules: PasswordRules, context: APIContext) {
    (self.resets, self.rules) = (resets, rules)
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(.post, "/password-resets", access: .open, limit: .passwordReset, body: body, request),
      Route(.put, "/password-resets/{token}", access: .open, limit: .password, body: body, reset),
    ]
  }

  private func request(_ call: Call) async throws -> Response {
    var fields = try FieldDecoder(people: call.request.body, known: ["email"])
    let email = fields.required("email", EmailAddress.init)
    try fields.finish()
    guard let email else { throw Problem(.invalidInput) }
    resets.request(email)
    return Response(.accepted)
  }

  private func reset(_ call: Call) async throws -> Response {
    var fields = try FieldDecoder(people: call.request.body, known: ["password"])
    let password = fields.required("password", rules.password)
    try fields.finish()
    guard let password else { throw Problem(.invalidInput) }
    try await resets.reset(
      call.parameters["token"] ?? "", to: password, rules: rules, from: call.network)
    return .noContent
  }
}
