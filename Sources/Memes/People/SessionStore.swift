/// What the use cases need of a store of sessions. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol SessionStore: Sendable {
  /// Keeps a session. When this returns it survives a crash of the machine.
  ///
  /// - Parameters:
  ///   - token: the token's digest.
  ///   - password: that the person showed.
  ///   - rehashed: the same password's hash to keep from now on; `nil` where it stays.
  /// - Returns: whether the account is still there and has this password.
  func insert(
    _ session: Session, token: Digest, if password: HashedPassword,
    becoming rehashed: HashedPassword?
  ) async throws(MemeError) -> Bool

  /// The session of the token with this digest, read on the calling thread; `nil` where there is none, or it is over.
  ///
  /// - Parameter limits: what is over: see ``SessionLifetime/limits(at:)``.
  func session(
    token: Digest, after limits: (used: Timestamp, made: Timestamp)
  ) throws(MemeError) -> Session?

  /// Notes that the session was used.
  func note(_ id: SessionID, usedAt time: Timestamp) async throws(MemeError)

  /// The person's sessions, the one that was used last first.
  func sessions(
    of person: UserID, after limits: (used: Timestamp, made: Timestamp)
  ) async throws(MemeError) -> [Session]

  /// Ends a session of the person.
  ///
  /// - Returns: whether there was one.
  func end(_ id: SessionID, of person: UserID) async throws(MemeError) -> Bool

  /// Ends all sessions of the person.
  func endAll(of person: UserID) async throws(MemeError)

  /// Removes some of those that are over.
  ///
  /// - Returns: how many were removed; 0 where there are no more.
  func purgeSessions(
    before limits: (used: Timestamp, made: Timestamp), _ batch: PurgeBatch
  ) async throws(MemeError) -> Int
}
