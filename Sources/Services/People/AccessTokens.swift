import Bytes
import Crypto
package import Memes
package import Storage

/// Makes access tokens.
package struct AccessTokens: Sendable {
  private let store: AccessTokenStore
  private let identity: IdentityCheck
  private let factors: SecondFactorCheck
  private let notices: AccountNotices
  private let context: ServiceContext

  package init(
    store: AccessTokenStore, identity: IdentityCheck, factors: SecondFactorCheck,
    notices: AccountNotices, context: ServiceContext
  ) {
    (self.store, self.identity, self.factors) = (store, identity, factors)
    (self.notices, self.context) = (notices, context)
  }

  /// Makes a token. On return, it is durable. The user gets a mail.
  ///
  /// - Parameter network: the network of the client.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`expiresAt`); (`code`) if the code of the second factor is wrong, or
  ///   missing although it is required; ``MemeError/forbidden`` if a member wants the scope `admin`;
  ///   ``MemeError/tooManyTokens``; ``MemeError/unauthorized`` if the session ended, or the password changed;
  ///   ``MemeError/suspended``; the errors of ``IdentityCheck``.
  package func make(
    _ terms: AccessToken.Terms, proof: IdentityCheck.Proof, from network: ClientNetwork
  ) async throws -> NewAccessToken {
    let (session, time) = (proof.session, context.now())
    guard terms.expiresAt.map({ $0 > time }) ?? true else {
      throw MemeError.invalid(
        field: "expiresAt",
        InvalidValue(code: "out-of-range", message: "Must be in the future, or null."))
    }
    guard session.accountStatus.role == .admin || !terms.scopes.permits(.admin) else {
      throw MemeError.forbidden
    }
    let password = try await identity.verify(proof, from: network)
    let token = AccessToken(
      id: AccessTokenID.version7(at: time, random: Random.uuid()), of: session.person, terms,
      createdAt: time)
    let secret =
      AccessTokenText.prefix + Base64URL.encode(Random.bytes(AccessTokenText.randomBytes))
    let isStored = try await factors.confirm(proof.code, of: session.person) { use in
      try await store.insert(
        token, secret: context.digest(Bytes(secret)), if: password, in: session.id, using: use)
    }
    guard isStored else { throw MemeError.unauthorized }
    await notices.tell(session.person, .newToken)
    return NewAccessToken(token: token, secret: secret)
  }
}

/// An access token that was just made.
package struct NewAccessToken: Sendable {
  package let token: AccessToken
  /// The credential. Only its digest is stored.
  package let secret: String
}
