package import Memes
package import Storage

/// Lets users link and unlink identities.
package struct IdentityLinks: Sendable {
  private let store: IdentityStore
  private let identity: IdentityCheck
  private let factors: SecondFactorCheck
  private let notices: AccountNotices
  private let issuer: String?

  /// - Parameter issuer: the provider with which users can sign in; `nil` if they cannot.
  package init(
    store: IdentityStore, identity: IdentityCheck, factors: SecondFactorCheck,
    notices: AccountNotices, issuer: String?
  ) {
    (self.store, self.identity, self.factors) = (store, identity, factors)
    (self.notices, self.issuer) = (notices, issuer)
  }

  /// Confirms that the user, and not only a holder of the session, wants to link an identity. An identity is a way to
  /// sign in without the password and the second factor, so it needs both.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the session ended, or the password changed; ``MemeError/suspended``; the
  ///   errors of ``IdentityCheck`` and ``SecondFactorCheck``.
  package func prove(
    _ proof: IdentityCheck.Proof, from network: ClientNetwork
  ) async throws {
    let session = proof.session
    let password = try await identity.verify(proof, from: network)
    let isProven = try await factors.confirm(proof.code, of: session.person) { use in
      try await store.prove(session.person, if: password, in: session.id, using: use)
    }
    guard isProven else { throw MemeError.unauthorized }
  }

  /// Unlinks an identity. On return, it is no way to sign in. The user gets a mail.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/lastWayToSignIn``.
  package func unlink(_ id: IdentityID, of person: UserID) async throws {
    try await store.delete(id, of: person, signingInBy: issuer)
    await notices.tell(person, .identityUnlinked)
  }
}
