/// Makes and recognizes the tokens that people show. Safe to call from any thread.
package protocol TokenKeeper: Sendable {
  /// The token that lets whoever made something without an account delete it: always the same one for the same thing.
  func deleteToken(for thing: Possession) -> String

  /// Whether `token` is the thing's deleteToken. Takes the same time whatever is wrong with it.
  func isDeleteToken(_ token: String, for thing: Possession) -> Bool

  /// Whether `token` is the admin's. Takes the same time whatever is wrong with it.
  func isAdminToken(_ token: String) -> Bool
}

extension TokenKeeper {
  /// Tells who shows this token.
  ///
  /// - Parameter thing: that the request is about, if it is about one.
  /// - Returns: `nil` where the token is not one that is made with a key.
  package func viewer(showing token: String, about thing: Possession?) -> Viewer? {
    if isAdminToken(token) { return .admin }
    if let thing, isDeleteToken(token, for: thing) { return .holder(of: thing) }
    return nil
  }
}
