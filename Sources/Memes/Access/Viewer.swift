/// Who asks.
package enum Viewer: Hashable, Sendable {
  /// Anybody.
  case anonymous
  /// Somebody who shows the `deleteToken` of this meme.
  case holder(of: MemeID)
  /// Somebody who is signed in.
  case person(UserID)
  /// Somebody who shows the admin's token.
  case admin

  /// Whether this is somebody whom the server knows.
  package var isSignedIn: Bool {
    switch self {
    case .person, .admin: true
    case .anonymous, .holder: false
    }
  }

  /// Whether this viewer may do with the meme what only its owner may.
  package func owns(_ meme: MemeID) -> Bool {
    switch self {
    case .anonymous, .person: false
    case .holder(let held): held == meme
    case .admin: true
    }
  }

  /// - Throws: ``MemeError/unauthorized`` where this viewer does not own the meme, ``MemeError/forbidden`` where other
  ///   credentials of theirs would not help.
  func checkOwns(_ meme: MemeID) throws(MemeError) {
    guard !owns(meme) else { return }
    if case .person = self { throw .forbidden }
    throw .unauthorized
  }
}
