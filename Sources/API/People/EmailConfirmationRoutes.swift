import HTTP
import Memes
package import Services

/// The confirmation of emails.
package struct EmailConfirmationRoutes: Sendable {
  private let confirmations: EmailConfirmations
  private let body: Route.Body

  package init(confirmations: EmailConfirmations, context: APIContext) {
    self.confirmations = confirmations
    body = context.fieldsBody
  }

  /// The token of the mail is enough for the first route, because people read their mail on other devices too.
  package var routes: [Route] {
    [
      Route(.post, "/email-confirmations", access: .open, limit: .change, body: body, confirm),
      Route(.post, "/users/me/email-confirmation", access: .person, limit: .passwordReset, send),
    ]
  }

  private func confirm(_ call: Call) async throws -> Response {
    var fields = try FieldDecoder(people: call.request.body, known: ["token"])
    let token = fields.required("token") { (text) in text }
    try fields.finish()
    guard let token else { throw Problem(.invalidInput) }
    try await confirmations.confirm(token)
    return .noContent
  }

  private func send(_ call: Call) async throws -> Response {
    guard confirmations.areOn else {
      throw Problem(.notHere, "This server has no mail server, so it confirms no emails.")
    }
    let isSent = try await confirmations.send(to: call.signedIn().person)
    return isSent ? Response(.accepted) : .noContent
  }
}
