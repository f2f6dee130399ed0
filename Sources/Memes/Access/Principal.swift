/// Who asks.
package enum Viewer: Hashable, Sendable {
  /// Anybody.
  case anonymous
  /// Somebody who shows the `deleteToken` of this. It opens what is nobody's.
  case holder(of: Possession)
  /// Somebody who is signed in.
  case person(UserID)
  /// Somebody who is signed in and has the admin's role.
  case administrator(UserID)
  /// Somebody who shows the admin's token.
  case admin

  /// Whether this is somebody whom the server knows.
  package var isSignedIn: Bool {
    switch self {
    case .person, .administrator, .admin: true
    case .anonymous, .holder: false
    }
  }

  /// Whether this viewer may do what only admins may.
  package var isAdmin: Bool {
    switch self {
    case .administrator, .admin: true
    case .anonymous, .holder, .person: false
    }
  }

  /// The person who is signed in; `nil` where nobody is.
  package var person: UserID? {
    switch self {
    case .person(let id), .administrator(let id): id
    case .anonymous, .holder, .admin: nil
    }
  }

  /// Whether what this viewer makes is kept by a `deleteToken`: what a person makes is theirs.
  package var keepsByToken: Bool { self == .anonymous }

  /// Whether this viewer may do with the meme, as it was read, what only its owner may. Before a change, the store decides anew.
  package func owns(_ meme: Meme) -> Bool {
    switch self {
    case .anonymous: false
    case .holder(let held): meme.author == nil && held == .meme(meme.id)
    case .person(let id): meme.author?.id == id
    case .administrator, .admin: true
    }
  }

  /// Why this viewer may not do what only an owner may: ``MemeError/unauthorized``, or ``MemeError/forbidden`` where other
  /// credentials of theirs would not help.
  package var refusal: MemeError { isSignedIn ? .forbidden : .unauthorized }
}
