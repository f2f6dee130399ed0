/// The caller of a request.
package enum Principal: Hashable, Sendable {
  /// A caller without credentials.
  case anonymous
  /// A caller with the `deleteToken` of this resource. The token is valid only for a resource without an author.
  case deleteTokenHolder(of: ResourceRef)
  /// A signed-in user.
  case person(UserID)
  /// A signed-in user with the admin role.
  case administrator(UserID)
  /// A caller with the admin token.
  case admin

  /// Whether the caller is authenticated, by a session or by the admin token.
  package var isSignedIn: Bool {
    switch self {
    case .person, .administrator, .admin: true
    case .anonymous, .deleteTokenHolder: false
    }
  }

  /// Whether the caller has admin rights.
  package var isAdmin: Bool {
    switch self {
    case .administrator, .admin: true
    case .anonymous, .deleteTokenHolder, .person: false
    }
  }

  /// The signed-in user; `nil` if there is none.
  package var person: UserID? {
    switch self {
    case .person(let id), .administrator(let id): id
    case .anonymous, .deleteTokenHolder, .admin: nil
    }
  }

  /// Whether the caller gets a `deleteToken` for new memes and templates. Those of a signed-in user belong to
  /// the account instead.
  package var keepsByToken: Bool { self == .anonymous }

  /// Whether the caller has an owner's rights on the meme, as it was read. Before a change, the store
  /// checks this again.
  package func owns(_ meme: Meme) -> Bool {
    switch self {
    case .anonymous: false
    case .deleteTokenHolder(let held): meme.author == nil && held == .meme(meme.id)
    case .person(let id): meme.author?.id == id
    case .administrator, .admin: true
    }
  }

  /// The error if the caller lacks an owner's rights: ``MemeError/unauthorized``, or ``MemeError/forbidden`` if other
  /// credentials would not help.
  package var refusal: MemeError { isSignedIn ? .forbidden : .unauthorized }
}
