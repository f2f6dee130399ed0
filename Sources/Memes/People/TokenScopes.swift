/// What an access token is for. Each scope includes the ones before it.
package enum TokenScope: String, CaseIterable, Sendable {
  /// Requests that change nothing.
  case read
  /// Changes.
  case write
  /// The rights of an admin, if the account has them.
  case admin
}

/// The scopes of an access token: at least one.
package struct TokenScopes: Hashable, Sendable {
  /// Without repetitions, in the order of the cases.
  package let all: [TokenScope]

  /// - Returns: `nil` if there are none.
  package init?(_ scopes: Set<TokenScope>) {
    guard !scopes.isEmpty else { return nil }
    all = TokenScope.allCases.filter(scopes.contains)
  }

  private init(listed all: [TokenScope]) { self.all = all }

  /// The scopes of a token that an app gets.
  package static let app = TokenScopes(listed: [.read, .write])

  /// Whether one of the scopes is `needed`, or includes it.
  package func permits(_ needed: TokenScope) -> Bool {
    switch needed {
    case .read: true
    case .write: all.contains { $0 != .read }
    case .admin: all.contains(.admin)
    }
  }
}
