/// What the use cases need of a store of password resets. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol PasswordResetStore: Sendable {
  /// Keeps a reset for the person who has this email. When this returns it survives a crash of the machine.
  ///
  /// - Parameters:
  ///   - token: the token's digest.
  ///   - limit: what was made then or before is over.
  ///   - most: how many a person may have that are not over.
  /// - Returns: the person; `nil` where nobody has the email, or they have as many as they may.
  func insert(
    token: Digest, for email: EmailAddress, at time: Timestamp, after limit: Timestamp, most: Int
  ) async throws(MemeError) -> User?

  /// Takes a reset back.
  func withdraw(token: Digest) async throws(MemeError)

  /// Whose reset it is; `nil` where there is none, or it is over.
  func user(resetting token: Digest, after limit: Timestamp) async throws(MemeError) -> User?

  /// Gives the person another password, and ends all of their sessions and resets.
  ///
  /// - Returns: the person; `nil` where there is no such reset any more, and nothing was done.
  func reset(
    token: Digest, after limit: Timestamp, to password: HashedPassword, at time: Timestamp
  ) async throws(MemeError) -> User?

  /// Removes some of those that were made then or before.
  ///
  /// - Returns: how many were removed; 0 where there are no more.
  func purgeResets(madeBy limit: Timestamp, _ batch: PurgeBatch) async throws(MemeError) -> Int
}
