import Bytes
package import HTTP
package import Memes
package import Services
package import Storage

/// Authenticates callers, by a session, an access token or another bearer token, or by the session cookie of a browser.
package struct Authentication: Sendable {
  private let tokens: any TokenKeeper
  private let anonymous: Bool
  private let people: People?

  /// The components that authenticate users.
  package struct People: Sendable {
    let sessions: SessionStore
    let tokens: AccessTokenStore
    let uses: AccessTokenUses
    let sessionUses: SessionUses
    let cookie: SessionCookie
    let origin: SameOriginCheck
    let context: APIContext

    package init(
      sessions: SessionStore, tokens: AccessTokenStore, uses: AccessTokenUses,
      cookie: SessionCookie, origin: SameOriginCheck, context: APIContext
    ) {
      (self.sessions, self.tokens, self.uses, self.cookie) = (sessions, tokens, uses, cookie)
      (self.origin, self.context) = (origin, context)
      sessionUses = SessionUses { session, time in
        try await sessions.noteUse(of: session, at: time)
      }
    }
  }

  /// The caller of a request; the credential is `nil` if the caller is not a user.
  struct AuthenticatedCaller {
    static let anonymous = AuthenticatedCaller(viewer: .anonymous, credential: nil)

    let viewer: Principal
    let credential: Credential?
    /// Whether the account is suspended, so that the caller reads like an anonymous one.
    var isSuspended = false

    init(viewer: Principal, credential: Credential?) {
      (self.viewer, self.credential) = (viewer, credential)
    }

    init(_ session: Session) {
      let isAdmin = session.accountStatus.role == .admin
      self.init(
        viewer: isAdmin ? .administrator(session.person) : .person(session.person),
        credential: .session(session))
    }
  }

  /// - Parameters:
  ///   - anonymous: whether callers without credentials have access.
  ///   - people: `nil` if users cannot sign in.
  package init(tokens: any TokenKeeper, anonymous: Bool, people: People? = nil) {
    (self.tokens, self.anonymous, self.people) = (tokens, anonymous, people)
  }

  /// Whether callers without credentials can read public data.
  var allowsAnonymous: Bool { anonymous }

  /// Authenticates the caller before the request body is read. If the request has a session token or an access
  /// token, this reads one row of the database.
  ///
  /// - Throws: 401 if the credentials are missing or wrong, 403 if they do not permit the call.
  func whoSent(
    _ head: RequestHead, to route: Route, _ parameters: Parameters
  ) async throws(Problem) -> AuthenticatedCaller {
    try await whoSent(
      head, needing: route.access, scope: route.scope, about: route.subject, parameters)
  }

  /// Authenticates the user again after a wait, before a delayed response is sent.
  ///
  /// - Returns: the current session or access token.
  /// - Throws: 401 if it has ended, 403 if the account is suspended.
  @discardableResult
  func confirm(_ call: Call) async throws(Problem) -> Credential? {
    // The scopes of a token never change, so those that the route needs were checked before the wait.
    try await whoSent(
      call.request.head, needing: .person, scope: .read, about: .meme, call.parameters
    ).credential
  }

  private func whoSent(
    _ head: RequestHead, needing access: Route.Access, scope: TokenScope?,
    about subject: Route.Subject, _ parameters: Parameters
  ) async throws(Problem) -> AuthenticatedCaller {
    guard access != .open, access != .machine || !head.isFromThisMachine else { return .anonymous }
    let asking = try await whoShows(head, needing: access, scope, about: subject, parameters)
    switch (access, asking.viewer) {
    case (.viewer, .anonymous) where anonymous: return asking
    case (.signed, .anonymous): return asking
    case (_, .anonymous):
      throw asking.isSuspended ? Problem(.suspended) : Problem(.unauthorized)
    case (.person, .deleteTokenHolder), (.person, .admin), (.leaving, .deleteTokenHolder),
      (.leaving, .admin):
      throw Problem.forPeople
    case (.admin, .deleteTokenHolder), (.admin, .person), (.machine, .deleteTokenHolder),
      (.machine, .person):
      throw Problem(.forbidden, "This endpoint requires an admin.")
    default: return asking
    }
  }

  /// Records the use of the session or access token, unless that was done recently.
  ///
  /// - Parameter report: receives the error if the use of a session cannot be recorded, perhaps after the call.
  func noteUse(
    of credential: Credential, report: @escaping @Sendable (any Error) -> Void
  ) async {
    guard let people else { return }
    let time = people.context.now()
    switch credential {
    case .session(let session):
      guard people.sessions.lifetime.needsNote(of: time, after: session.lastUsedAt) else { return }
      await people.sessionUses.note(session, at: time, report: report)
    case .token(let token): people.uses.note(token, at: time)
    }
  }

  private func whoShows(
    _ head: RequestHead, needing access: Route.Access, _ scope: TokenScope?,
    about subject: Route.Subject, _ parameters: Parameters
  ) async throws(Problem) -> AuthenticatedCaller {
    if let token = try BearerToken.read(head.headers)?.text {
      let thing = parameters["id"].flatMap { subject.possession($0) }
      if let viewer = tokens.viewer(showing: token, about: thing) {
        return AuthenticatedCaller(viewer: viewer, credential: nil)
      }
      if AccessTokenText.isOne(token) { return try await caller(with: token, needing: scope) }
      guard let session = try await session(openedBy: token) else { throw Problem(.unauthorized) }
      guard !session.accountStatus.isSuspended || access == .leaving else {
        throw Problem(.suspended)
      }
      return AuthenticatedCaller(session)
    }
    guard let people, case let shown = people.cookie.tokens(in: head.headers),
      let token = shown.first
    else { return .anonymous }
    guard head.method.isSafe || people.origin.sent(head.headers) else {
      throw Problem(.crossSite)
    }
    guard shown.count == 1 else {
      // Another party may have set one of the cookies. The response does not clear the cookie, because clearing
      // removes only one of them.
      guard head.method.isSafe else {
        throw Problem(.unauthorized, "The request has more than one session cookie.")
      }
      return .anonymous
    }
    if let session = try await session(openedBy: token) {
      guard session.accountStatus.isSuspended, access != .leaving else {
        return AuthenticatedCaller(session)
      }
      // A browser sends its cookie with every request. A suspended user can still read like an anonymous caller.
      guard head.method.isSafe, access == .viewer || access == .signed else {
        throw Problem(.suspended)
      }
      var reader = AuthenticatedCaller.anonymous
      reader.isSuspended = true
      return reader
    }
    // A browser sends its cookie even after the session has ended. Reads then continue anonymously. Changes do not,
    // because the user means to make them as themselves.
    guard head.method.isSafe else {
      throw Problem(
        .unauthorized, "The session has ended. Sign in again.",
        headers: Headers([(.setCookie, people.cookie.cleared)]))
    }
    return .anonymous
  }

  /// The user of an access token.
  ///
  /// - Parameter scope: `nil` if no token is enough.
  private func caller(
    with secret: String, needing scope: TokenScope?
  ) async throws(Problem) -> AuthenticatedCaller {
    guard let people else { throw Problem(.unauthorized) }
    let context = people.context
    let found: AccessToken?
    do {
      found = try await people.tokens.token(
        secret: context.digest(Bytes(secret)), at: context.now())
    } catch {
      throw Problem(error)
    }
    guard let token = found else { throw Problem(.unauthorized) }
    guard !token.accountStatus.isSuspended else { throw Problem(.suspended) }
    guard let scope else { throw Problem.notForTokens }
    guard token.scopes.permits(scope) else { throw Problem(needing: scope) }
    return AuthenticatedCaller(viewer: token.principal, credential: .token(token))
  }

  private func session(openedBy token: String) async throws(Problem) -> Session? {
    guard let people else { return nil }
    let context = people.context
    do {
      return try await people.sessions.session(
        token: context.digest(Bytes(token)), at: context.now())
    } catch {
      throw Problem(error)
    }
  }
}

extension Problem {
  /// 403 for credentials that do not belong to a user.
  static let forPeople = Problem(.forbidden, "This endpoint requires a signed-in user.")

  /// 403 for an access token, because a token must not outlive or extend what its user decides about the account.
  static let notForTokens = Problem(.forbidden, "No access token can do this. Sign in instead.")

  /// 403 for an access token without the scope (RFC 6750 §3.1).
  fileprivate init(needing scope: TokenScope) {
    let challenge =
      "Bearer realm=\"mememe\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
    self.init(
      .insufficientScope, "This request needs an access token with the scope \(scope.rawValue).",
      headers: Headers(HeaderValue(challenge).map { [(.wwwAuthenticate, $0)] } ?? []))
  }
}

extension RequestHead {
  /// Whether the request comes from this machine, and not through a proxy that identifies itself.
  fileprivate var isFromThisMachine: Bool {
    let marks: [HeaderName] = [.xForwardedFor, .forwarded, .via]
    return IPAddress(peer)?.isLoopback == true && marks.allSatisfy { headers[$0] == nil }
  }
}
