/// Stores sessions. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol SessionStore: Sendable {
  /// Stores a session. On return, it is durable. Ends the user's least recently used sessions if there are more than
  /// ``Session/maximumCount``.
  ///
  /// - Parameters:
  ///   - token: the digest of the token.
  ///   - password: the hash against which the password was verified.
  ///   - rehashed: a new hash of the same password to store instead; `nil` keeps the hash.
  /// - Returns: `false` if the account was deleted, or its password hash changed. Then nothing is written.
  func insert(
    _ session: Session, token: Digest, if password: HashedPassword,
    becoming rehashed: HashedPassword?
  ) async throws -> Bool

  /// The session with this token, read on the calling thread; `nil` if it does not exist or has expired.
  ///
  /// - Parameters:
  ///   - token: the digest of the token.
  ///   - limits: the limits of expired sessions; see ``SessionLifetime/limits(at:)``.
  func session(
    token: Digest, after limits: (used: Timestamp, made: Timestamp)
  ) throws -> Session?

  /// Records the use of a session.
  func note(_ id: SessionID, usedAt time: Timestamp) async throws

  /// The user's sessions, the most recently used first.
  func sessions(
    of person: UserID, after limits: (used: Timestamp, made: Timestamp)
  ) async throws -> [Session]

  /// Ends one of the user's sessions.
  ///
  /// - Returns: whether the session existed.
  func end(_ id: SessionID, of person: UserID) async throws -> Bool

  func endAll(of person: UserID) async throws

  /// Deletes one batch of expired sessions.
  ///
  /// - Returns: the number of deleted sessions; 0 if nothing is left to delete.
  func purgeSessions(
    before limits: (used: Timestamp, made: Timestamp), _ batch: PurgeBatch
  ) async throws -> Int
}
