import HTTP
import Memes
package import Services
package import Storage

/// The identities of the signed-in user, with which a single sign-on finds the account. A user manages them with a
/// session, never with a token.
package struct IdentityRoutes: Sendable {
  private let links: IdentityLinks
  private let store: IdentityStore
  /// `nil` if the server has no provider.
  private let signOn: SingleSignOn?
  private let basePath: String
  private let body: Route.Body

  /// - Parameter signOn: `nil` if the server has no provider.
  package init(
    links: IdentityLinks, store: IdentityStore, signOn: SingleSignOn?, context: APIContext
  ) {
    (self.links, self.store, self.signOn) = (links, store, signOn)
    basePath = context.basePath
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(.post, "/users/me/identities", access: .person, limit: .password, body: body, link),
      Route(.get, "/users/me/identities", access: .person, list),
      Route(.delete, "/users/me/identities/{id}", access: .person, limit: .change, unlink),
    ]
  }

  private func link(_ call: Call) async throws -> Response {
    let session = try call.session()
    var fields = try FieldDecoder(people: call.request.body, known: ["password", "code"])
    let password = fields.text("password", Password.init)
    let code = fields.text("code") { (text) in text }
    try fields.finish()
    guard let signOn else { throw Problem(.notFound) }
    try await links.prove(
      IdentityCheck.Proof(session: session, password: password, code: code, acceptsSignIn: true),
      from: call.network)
    let ticket = signOn.ticket(for: session.id)
    return .uncached(.created) { json in
      json.object { $0.member("url", "\(basePath)/oidc/start?link=\(ticket)") }
    }
  }

  private func list(_ call: Call) async throws -> Response {
    let (identities, hasPassword) = try await store.identities(of: call.session().person)
    return .uncached { IdentityJSON.list(identities, hasPassword: hasPassword, to: &$0) }
  }

  private func unlink(_ call: Call) async throws -> Response {
    let person = try call.session().person
    try await links.unlink(call.id(), of: person)
    return .noContent
  }
}

/// Writes identities as JSON.
enum IdentityJSON {
  /// All identities of a user.
  static func list(
    _ identities: [LinkedIdentity], hasPassword: Bool, to json: inout JSONWriter
  ) {
    json.object { json in
      json.array("items") { json in
        for linked in identities { json.object { write(linked, to: &$0) } }
      }
      json.member("hasPassword", hasPassword)
      json.null("nextCursor")
    }
  }

  private static func write(_ linked: LinkedIdentity, to json: inout JSONWriter) {
    json.member("id", linked.id.description)
    json.member("issuer", linked.identity.issuer)
    json.member("subject", linked.identity.subject)
    json.member("createdAt", linked.createdAt.description)
    json.member("lastUsedAt", linked.lastUsedAt.description)
  }
}
