import Bytes
package import Crypto
package import Memes
package import OpenID
package import Storage

/// Signs users in by an OpenID Connect provider, makes their accounts, and links their identities.
///
/// The second factor of this server is not asked for: the provider asks for its own.
package struct SingleSignOn: Sendable {
  /// The number of times that a sign-in is tried, if the password hash of the account changes at the same time.
  private static let attempts = 3

  package let provider: OpenIDProvider
  private let cipher: SecretCipher
  private let identities: IdentityStore
  private let sessions: SessionStore
  private let signIn: SignIn
  private let newAccounts: ProviderAccounts
  private let notices: AccountNotices
  private let context: ServiceContext
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - cipher: encrypts what browsers keep during a sign-in.
  ///   - report: logs a warning for operators.
  package init(
    _ provider: OpenIDProvider, _ stores: (identities: IdentityStore, sessions: SessionStore),
    signIn: SignIn, newAccounts: ProviderAccounts,
    _ tools: (cipher: SecretCipher, notices: AccountNotices, context: ServiceContext),
    report: @escaping @Sendable (String) -> Void
  ) {
    self.provider = provider
    (identities, sessions) = stores
    (self.signIn, self.newAccounts, self.report) = (signIn, newAccounts, report)
    (cipher, notices, context) = tools
  }

  /// Begins a single sign-on.
  ///
  /// - Parameter redirect: the URL of this server to which the provider sends the user.
  /// - Returns: the URL at the provider, and what the browser keeps in a cookie.
  /// - Throws: ``MemeError/providerFailed(_:)``; ``MemeError/overloaded``.
  package func begin(
    _ wish: SignInAttempt.Wish, redirect: String
  ) async throws -> (url: String, cookie: String, seconds: Int64) {
    let attempt = SignInAttempt(wish, at: context.now())
    let url = try await naming {
      try await provider.signInURL(
        state: attempt.state, nonce: attempt.nonce, verifier: attempt.verifier, redirect: redirect)
    }
    return (url, attempt.sealed(by: cipher), SignInAttempt.lifetimeMilliseconds / 1000)
  }

  /// The attempt in the cookie of a browser.
  ///
  /// - Returns: `nil` if this server made no such cookie, or it has expired.
  package func attempt(in cookie: String) -> SignInAttempt? {
    SignInAttempt(cookie, sealedBy: cipher, at: context.now())
  }

  /// Permits a session to link an identity. ``session(linkingBy:)`` accepts the text for two minutes.
  package func ticket(for session: SessionID) -> String {
    LinkTicket(session, at: context.now()).sealed(by: cipher)
  }

  /// The session that may link an identity; `nil` if the text is invalid, or has expired.
  package func session(linkingBy ticket: String) -> SessionID? {
    LinkTicket(ticket, sealedBy: cipher, at: context.now())?.session
  }

  /// The session of a browser's session token; `nil` if there is none, or its account is suspended.
  package func session(openedBy token: String) async throws -> Session? {
    let session = try await sessions.session(
      token: context.digest(Bytes(token)), at: context.now())
    return session?.accountStatus.isSuspended == true ? nil : session
  }

  /// Finishes a single sign-on.
  ///
  /// - Parameters:
  ///   - answer: what the provider sent.
  ///   - session: the session of the browser, if it has one.
  /// - Throws: ``MemeError/signInExpired``; ``MemeError/signInRefused(_:)``; ``MemeError/providerFailed(_:)``; the
  ///   errors of ``ProviderAccounts`` and of ``IdentityStore``; ``MemeError/suspended``; ``MemeError/overloaded``.
  package func finish(
    _ attempt: SignInAttempt, _ answer: Answer, in session: Session?, on client: ClientName?
  ) async throws -> Outcome {
    guard constantTimeEqual(Array(answer.state.utf8), Array(attempt.state.utf8)) else {
      throw MemeError.signInExpired
    }
    // RFC 9207: the answer of another provider.
    guard answer.issuer == nil || answer.issuer == provider.issuer.text else {
      throw MemeError.providerFailed("the answer is of another issuer")
    }
    if let error = answer.error { throw MemeError.signInRefused(String(error.prefix(64))) }
    if let linking = attempt.wish.linking, session?.id != linking { throw MemeError.signInExpired }
    guard let code = answer.code else { throw MemeError.providerFailed("the answer has no code") }
    let claims = try await naming {
      try await provider.claims(
        code: code, nonce: attempt.nonce, verifier: attempt.verifier, redirect: answer.redirect)
    }
    if attempt.wish.linking != nil, let session { return try await link(claims, session) }
    return try await signIn(claims, attempt.wish, request: answer.request, on: client)
  }

  private func link(_ claims: ProviderClaims, _ session: Session) async throws -> Outcome {
    let time = context.now()
    let isNew = try await identities.link(
      newAccounts.identity(claims), as: newAccounts.newID(at: time), of: session.person,
      in: session.id, at: time)
    guard let isNew else { throw MemeError.signInExpired }
    if isNew { await notices.tell(session.person, .identityLinked) }
    return .linked
  }

  private func signIn(
    _ claims: ProviderClaims, _ wish: SignInAttempt.Wish, request: String, on client: ClientName?
  ) async throws -> Outcome {
    for _ in 1...Self.attempts {
      let account = try await newAccounts.account(claims, invitation: wish.invitation)
      guard !account.accountStatus.isSuspended else { throw MemeError.suspended }
      if let isAdmin = claims.isAdmin {
        let isDone = try await identities.give(
          isAdmin ? .admin : .member, to: account.user, request: request, at: context.now())
        if !isDone {
          report("the last admin keeps the role, although the provider does not say it")
        }
      }
      let signedIn = try await signIn.begin(for: account, using: .byProvider, on: client)
      if let signedIn { return .signedIn(signedIn, seconds: sessions.lifetime.maximumSeconds) }
    }
    throw MemeError.storageBusy
  }

  private func naming<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch OpenIDError.failed(let reason) {
      throw MemeError.providerFailed(reason)
    } catch OpenIDError.codeRefused {
      throw MemeError.signInExpired
    } catch OpenIDError.busy { throw MemeError.overloaded() }
  }

  /// What a provider sends with a user's browser.
  package struct Answer: Sendable {
    package var state = ""
    package var code: String?
    package var error: String?
    package var issuer: String?
    /// The URL of this server to which the provider sent the user.
    let redirect: String
    /// The ID of the request, for the audit log.
    let request: String

    package init(redirect: String, request: String) {
      (self.redirect, self.request) = (redirect, request)
    }
  }

  package enum Outcome: Sendable {
    /// The session may last for this time.
    case signedIn(SignedIn, seconds: Int64)
    /// The identity is linked to the account of the signed-in user.
    case linked
  }
}
