/// Lets whoever made a meme without an account have it as their own.
package struct Claiming: Sendable {
  private let store: any MemeStore
  private let tokens: any TokenKeeper

  package init(store: any MemeStore, tokens: any TokenKeeper) {
    (self.store, self.tokens) = (store, tokens)
  }

  /// Makes the meme the person's. When this returns, that is durable, and its `deleteToken` opens nothing any more.
  ///
  /// Claiming what is one's own already changes nothing, so a client may repeat a request whose answer it lost.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/invalid(field:_:)`` (`deleteToken`) where the token is not
  ///   the meme's; ``MemeError/claimed`` where it is somebody else's.
  package func claim(
    _ id: MemeID, showing token: String, for person: UserID
  ) async throws(MemeError) -> Meme {
    // First: of what is hidden, nobody learns whether a token would do.
    _ = try await store.meme(id, for: .person(person))
    guard tokens.isDeleteToken(token, for: .meme(id)) else {
      throw .invalid(field: "deleteToken", .wrongToken)
    }
    return try await store.claim(id, for: person)
  }
}

extension InvalidValue {
  fileprivate static let wrongToken = InvalidValue(
    code: "wrong-token", message: "This is not the deleteToken that came with the meme.")
}
