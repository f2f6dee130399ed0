import Bytes

/// Knows who is signed in, and ends it.
package struct Sessions: Sendable {
  package let lifetime: SessionLifetime
  private let store: any SessionStore
  private let digest: Digester
  private let now: @Sendable () -> Timestamp

  package init(
    store: any SessionStore, lifetime: SessionLifetime, digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.lifetime, self.digest, self.now) = (store, lifetime, digest, now)
  }

  /// The session that a token opens, read on the calling thread by one look at the index of digests.
  ///
  /// How long that takes says nothing of the token: who guesses cannot choose a digest. Nothing is remembered in between, so
  /// what was ended is over at once.
  ///
  /// - Returns: `nil` where it opens none.
  package func session(openedBy token: String) throws(MemeError) -> Session? {
    try store.session(token: digest(of: token), after: lifetime.limits(at: now()))
  }

  /// Notes that the session is used, where that was not noted for a while.
  package func noteUse(of session: Session) async throws(MemeError) {
    let time = now()
    let age = time.millisecondsSince1970 - session.lastUsedAt.millisecondsSince1970
    guard age >= lifetime.noteMilliseconds else { return }
    try await store.note(session.id, usedAt: time)
  }

  /// Where the person is signed in, the place that was used last first.
  package func all(of person: UserID) async throws(MemeError) -> [Session] {
    try await store.sessions(of: person, after: lifetime.limits(at: now()))
  }

  /// Ends one. When this returns, its token opens nothing, also after a crash.
  ///
  /// - Throws: ``MemeError/notFound`` where the person has no such session.
  package func end(_ id: SessionID, of person: UserID) async throws(MemeError) {
    guard try await store.end(id, of: person) else { throw .notFound }
  }

  /// Ends all.
  package func endAll(of person: UserID) async throws(MemeError) {
    try await store.endAll(of: person)
  }

  func digest(of token: String) -> Digest { digest(Bytes(token)) }
}

/// Removes sessions for good that are over.
package struct SessionPurging: Purge {
  private let store: any SessionStore
  private let lifetime: SessionLifetime
  private let now: @Sendable () -> Timestamp

  package init(
    store: any SessionStore, lifetime: SessionLifetime, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.lifetime, self.now) = (store, lifetime, now)
  }

  package func purgeBatch() async throws(MemeError) -> Int {
    try await store.purgeSessions(before: lifetime.limits(at: now()), .standard)
  }
}
