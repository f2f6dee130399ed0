import Memes

/// What authenticates a user.
enum Credential: Sendable {
  case session(Session)
  case token(AccessToken)

  var person: UserID {
    switch self {
    case .session(let session): session.person
    case .token(let token): token.person
    }
  }
}
