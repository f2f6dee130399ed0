import HTTP
import Memes
package import Services
package import Storage

/// Invitations: admins and, if the server allows it, members make them, list them and delete them.
package struct InvitationRoutes: Sendable {
  private let invitations: Invitations
  private let store: InvitationStore
  private let context: APIContext
  private let json: InvitationJSON
  private let answer: ListResponse
  private let body: Route.Body

  package init(
    invitations: Invitations, store: InvitationStore, address: PublicAddress, context: APIContext
  ) {
    (self.invitations, self.store, self.context) = (invitations, store, context)
    json = InvitationJSON(address: address)
    answer = ListResponse(context)
    body = context.fieldsBody
  }

  /// None accepts an `Idempotency-Key`, because the stored response would contain the code.
  package var routes: [Route] {
    [
      Route(.post, "/invitations", access: .credentials, limit: .change, body: body, make),
      Route(.get, "/invitations", access: .credentials, query: ["limit", "cursor"], list),
      Route(.delete, "/invitations/{id}", access: .credentials, limit: .change, delete),
    ]
  }

  private func make(_ call: Call) async throws -> Response {
    let viewer = try call.inviter()
    var fields = try FieldDecoder(
      people: call.request.body, known: ["email", "role", "uses", "expiresAt"])
    let email = fields.text("email", EmailAddress.init)
    let role = fields.word("role", Role.self) ?? .member
    let uses = fields.number("uses", Invitation.checkedUses) ?? 1
    let expiresAt = fields.text("expiresAt", Timestamp.init(_:))
    try fields.finish()
    let made = try await invitations.make(
      Invitations.Wish(email: email, role: role, uses: uses, expiresAt: expiresAt), by: viewer,
      request: call.requestName)
    return json.response(made)
  }

  private func list(_ call: Call) async throws -> Response {
    let viewer = try call.inviter()
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await store.invitations(
      for: viewer, at: context.now(), after: cursor.map(ListCursor.decode), limit: limit.count)
    return answer.response(page, at: "/invitations", limit: limit) { invitation, writer in
      writer.object { InvitationJSON.write(invitation, to: &$0) }
    }
  }

  private func delete(_ call: Call) async throws -> Response {
    let viewer = try call.inviter()
    try await invitations.delete(call.id(), by: viewer, request: call.requestName)
    return .noContent
  }
}

extension Call {
  /// The signed-in user or the admin.
  ///
  /// - Throws: `forbidden` for a `deleteToken`.
  fileprivate func inviter() throws(Problem) -> Principal {
    guard viewer.isSignedIn else { throw Problem.forPeople }
    return viewer
  }
}

extension Invitation {
  fileprivate static func checkedUses(_ number: Int) throws(InvalidValue) -> Int {
    guard uses.contains(number) else {
      throw InvalidValue(
        code: "out-of-range",
        message: "Must be a number from \(uses.lowerBound) to \(uses.upperBound).")
    }
    return number
  }
}
