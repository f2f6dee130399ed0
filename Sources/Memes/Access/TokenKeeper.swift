/// Makes and verifies tokens. Safe to call from any thread.
package protocol TokenKeeper: Sendable {
  /// The token that lets an author without an account delete the resource. It is always the same for the same resource.
  func deleteToken(for thing: ResourceRef) -> String

  /// Whether `token` is the `deleteToken` of the resource. The time does not depend on what is wrong with the token.
  func isDeleteToken(_ token: String, for thing: ResourceRef) -> Bool

  /// Whether `token` is the admin token. The time does not depend on what is wrong with the token.
  func isAdminToken(_ token: String) -> Bool
}

extension TokenKeeper {
  /// Identifies the caller by a token.
  ///
  /// - Parameter thing: the resource of the request, if there is one.
  /// - Returns: `nil` if it is neither the admin token nor the resource's `deleteToken`.
  package func viewer(showing token: String, about thing: ResourceRef?) -> Principal? {
    if isAdminToken(token) { return .admin }
    if let thing, isDeleteToken(token, for: thing) { return .deleteTokenHolder(of: thing) }
    return nil
  }
}
