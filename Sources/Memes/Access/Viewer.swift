/// Who asks.
package enum Viewer: Hashable, Sendable {
  /// Anybody.
  case anonymous
  /// Somebody who shows the `deleteToken` of this.
  case holder(of: Possession)
  /// Somebody who shows the admin's token.
  case admin

  /// Whether this is somebody whom the server knows.
  package var isSignedIn: Bool { self == .admin }

  /// Whether this viewer may do with the meme what only its owner may.
  package func owns(_ meme: MemeID) -> Bool { owns(.meme(meme)) }

  /// Whether this viewer may delete the template.
  package func owns(_ template: TemplateID) -> Bool { owns(.template(template)) }

  private func owns(_ thing: Possession) -> Bool {
    switch self {
    case .anonymous: false
    case .holder(let held): held == thing
    case .admin: true
    }
  }
}
