import HTTP
import Memes
import Services

/// Writes invitations as JSON.
struct InvitationJSON {
  let address: PublicAddress

  /// The response to a new invitation, the only one with its code.
  func response(_ made: NewInvitation) -> Response {
    .uncached(.created) { json in
      json.object { json in
        Self.write(made.invitation, to: &json)
        json.member("code", made.code)
        json.member("url", address.invitation(made.code))
      }
    }
  }

  static func write(_ invitation: Invitation, to json: inout JSONWriter) {
    let terms = invitation.terms
    json.member("id", invitation.id.description)
    json.member("inviter", invitation.inviter?.text)
    json.member("email", terms.email?.text)
    json.member("role", terms.role.rawValue)
    json.member("uses", terms.uses)
    json.member("createdAt", invitation.createdAt.description)
    json.member("expiresAt", terms.expiresAt.description)
  }
}
