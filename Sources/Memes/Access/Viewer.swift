/// Who asks.
package enum Viewer: Hashable, Sendable {
  /// Anybody.
  case anonymous
  /// Somebody who shows the `deleteToken` of this.
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

  /// Whether what this viewer makes is kept by a `deleteToken`: whoever shows a token that opens it keeps it by that.
  package var keepsByToken: Bool {
    switch self {
    case .anonymous, .person: true
    case .holder, .administrator, .admin: false
    }
  }

  /// Whether this viewer may do with the meme what only its owner may.
  package func owns(_ meme: MemeID) -> Bool { owns(.meme(meme)) }

  private func owns(_ thing: Possession) -> Bool {
    switch self {
    case .anonymous, .person: false
    case .holder(let held): held == thing
    case .administrator, .admin: true
    }
  }

  /// - Throws: ``MemeError/unauthorized`` where this viewer does not own it, ``MemeError/forbidden`` where other
  ///   credentials of theirs would not help.
  func checkOwns(_ thing: Possession) throws(MemeError) {
    guard !owns(thing) else { return }
    if case .person = self { throw .forbidden }
    throw .unauthorized
  }
}
