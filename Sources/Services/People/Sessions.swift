import Bytes
package import Memes
package import Storage

/// Looks up, lists and ends sessions.
package struct Sessions: Sendable {
  package let lifetime: SessionLifetime
  private let store: SessionStore
  private let digest: Digester
  private let now: @Sendable () -> Timestamp

  package init(
    store: SessionStore, lifetime: SessionLifetime, digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.lifetime, self.digest, self.now) = (store, lifetime, digest, now)
  }

  /// The session of a token. Reads on the calling thread, with one lookup in the index of digests.
  ///
  /// The duration reveals nothing about the token, because an attacker cannot choose the digest. Sessions are not
  /// cached, so an ended session is invalid at once.
  ///
  /// - Returns: `nil` if the token belongs to no session.
  package func session(openedBy token: String) throws -> Session? {
    try store.session(token: digest(of: token), after: lifetime.limits(at: now()))
  }

  /// Records the use of the session, unless that was done recently.
  package func noteUse(of session: Session) async throws {
    let time = now()
    let age = time.millisecondsSince1970 - session.lastUsedAt.millisecondsSince1970
    guard age >= lifetime.noteMilliseconds else { return }
    try await store.note(session.id, usedAt: time)
  }

  /// The sessions of a user, the most recently used first.
  package func all(of person: UserID) async throws -> [Session] {
    try await store.sessions(of: person, after: lifetime.limits(at: now()))
  }

  /// Ends a session. On return, its token is invalid, even after a crash.
  ///
  /// - Throws: ``MemeError/notFound`` if the user has no such session.
  package func end(_ id: SessionID, of person: UserID) async throws {
    guard try await store.end(id, of: person) else { throw MemeError.notFound }
  }

  /// Ends all sessions of a user.
  package func endAll(of person: UserID) async throws {
    try await store.endAll(of: person)
  }

  func digest(of token: String) -> Digest { digest(Bytes(token)) }
}

/// Deletes expired sessions.
package struct SessionPurging: Purge {
  private let store: SessionStore
  private let lifetime: SessionLifetime
  private let now: @Sendable () -> Timestamp

  package init(
    store: SessionStore, lifetime: SessionLifetime, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.lifetime, self.now) = (store, lifetime, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeSessions(before: lifetime.limits(at: now()), .standard)
  }
}
