package import Memes
package import Storage

/// Lets the author of a meme made without an account claim it.
package struct MemeClaim: Sendable {
  private let store: MemeStore
  private let tokens: any TokenKeeper

  package init(store: MemeStore, tokens: any TokenKeeper) {
    (self.store, self.tokens) = (store, tokens)
  }

  /// Makes the user the author of the meme. On return, the change is durable, and the meme's `deleteToken` is no longer
  /// valid.
  ///
  /// Claiming a meme that the user already owns changes nothing, so a client may repeat a request after it lost the
  /// response.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/invalid(field:_:)`` (`deleteToken`) if the token
  ///   does not belong to the meme; ``MemeError/claimed`` if the meme has another author.
  package func claim(_ id: MemeID, showing token: String, for person: UserID) async throws -> Meme {
    // Checked first, so that callers cannot test tokens of memes that they cannot see.
    _ = try await store.meme(id, for: .person(person))
    guard tokens.isDeleteToken(token, for: .meme(id)) else {
      throw MemeError.invalid(field: "deleteToken", .wrongToken)
    }
    return try await store.claim(id, for: person)
  }
}

extension InvalidValue {
  fileprivate static let wrongToken = InvalidValue(
    code: "wrong-token", message: "Wrong deleteToken for this meme.")
}
