/// Makes and recognizes the tokens that people show. Safe to call from any thread.
package protocol TokenKeeper: Sendable {
  /// The token that lets an anonymous uploader delete their meme: always the same one for the same meme.
  func deleteToken(for meme: MemeID) -> String

  /// Whether `token` is the meme's deleteToken. Takes the same time whatever is wrong with it.
  func isDeleteToken(_ token: String, for meme: MemeID) -> Bool

  /// Whether `token` is the admin's. Takes the same time whatever is wrong with it.
  func isAdminToken(_ token: String) -> Bool
}

extension TokenKeeper {
  /// Tells who shows this token.
  ///
  /// - Parameter meme: the meme that the request is about, if it is about one.
  /// - Returns: `nil` where the token is not one that is made with a key.
  package func viewer(showing token: String, about meme: MemeID?) -> Viewer? {
    if isAdminToken(token) { return .admin }
    if let meme, isDeleteToken(token, for: meme) { return .holder(of: meme) }
    return nil
  }
}
