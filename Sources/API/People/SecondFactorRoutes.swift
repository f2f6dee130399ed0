import HTTP
import Memes
package import Services

/// The second factor of the signed-in user. A user manages it with a session, never with a token.
package struct SecondFactorRoutes: Sendable {
  private let factors: SecondFactors
  private let accounts: Accounts
  private let address: PublicAddress
  private let body: Route.Body

  package init(
    factors: SecondFactors, accounts: Accounts, address: PublicAddress, context: APIContext
  ) {
    (self.factors, self.accounts, self.address) = (factors, accounts, address)
    body = context.fieldsBody
  }

  /// None accepts an `Idempotency-Key`, because the stored response would contain a secret.
  package var routes: [Route] {
    [
      Route(.post, "/users/me/totp", access: .person, limit: .password, body: body, begin),
      Route(.put, "/users/me/totp", access: .person, limit: .password, body: body, turnOn),
      Route(.delete, "/users/me/totp", access: .person, limit: .password, body: body, turnOff),
      Route(
        .post, "/users/me/totp/recovery-codes", access: .person, limit: .password, body: body,
        renewCodes),
    ]
  }

  private func begin(_ call: Call) async throws -> Response {
    let session = try call.session()
    var fields = try FieldDecoder(people: call.request.body, known: ["password"])
    let password = fields.text("password", Password.init)
    try fields.finish()
    let user = try await accounts.user(session.person)
    let secret = try await factors.begin(
      IdentityCheck.Proof(session: session, password: password, code: nil, acceptsSignIn: true),
      from: call.network)
    return .uncached(.created) { json in
      json.object { json in
        json.member("secret", secret)
        json.member("otpauthUrl", address.otpauth(secret, of: user.username))
      }
    }
  }

  private func turnOn(_ call: Call) async throws -> Response {
    let (session, code, password) = try proof(call)
    guard let code else { throw Problem(.invalidInput) }
    return Self.response(
      try await factors.turnOn(code, password, in: session, from: call.network), .ok)
  }

  private func turnOff(_ call: Call) async throws -> Response {
    let (session, code, password) = try proof(call, needsCode: false)
    try await factors.turnOff(code, password, in: session, from: call.network)
    return .noContent
  }

  private func renewCodes(_ call: Call) async throws -> Response {
    let (session, code, password) = try proof(call)
    guard let code else { throw Problem(.invalidInput) }
    return Self.response(
      try await factors.renewCodes(code, password, in: session, from: call.network), .created)
  }

  /// Reads the session, the code and the password.
  private func proof(
    _ call: Call, needsCode: Bool = true
  ) throws -> (session: Session, code: String?, password: Password) {
    let session = try call.session()
    var fields = try FieldDecoder(people: call.request.body, known: ["code", "password"])
    if needsCode { fields.require(["code"]) }
    let code = fields.text("code") { (text) in text }
    let password = fields.required("password", Password.init)
    try fields.finish()
    guard let password else { throw Problem(.invalidInput) }
    return (session, code, password)
  }

  private static func response(_ codes: [String], _ status: Status) -> Response {
    .uncached(status) { json in
      json.object { json in
        json.array("recoveryCodes") { json in
          for code in codes { json.value(code) }
        }
      }
    }
  }
}
