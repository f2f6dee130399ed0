/// Stores password resets. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol PasswordResetStore: Sendable {
  /// Stores a reset for the user with this email. On return, it is durable.
  ///
  /// - Parameters:
  ///   - token: the digest of the token.
  ///   - limit: resets from this time or earlier have expired.
  ///   - most: the maximum number of valid resets per user.
  /// - Returns: the user; `nil` if no user has this email, or the user has the maximum number of resets.
  func insert(
    token: Digest, for email: EmailAddress, at time: Timestamp, after limit: Timestamp, most: Int
  ) async throws -> User?

  /// Deletes a reset.
  func withdraw(token: Digest) async throws

  /// The user of a reset; `nil` if the reset does not exist or has expired.
  func user(resetting token: Digest, after limit: Timestamp) async throws -> User?

  /// Changes the user's password, and ends all of their sessions and resets.
  ///
  /// - Returns: the user; `nil` if the reset does not exist or has expired. Then nothing is written.
  func reset(
    token: Digest, after limit: Timestamp, to password: HashedPassword, at time: Timestamp
  ) async throws -> User?

  /// Deletes one batch of resets from this time or earlier.
  ///
  /// - Returns: the number of deleted resets; 0 if nothing is left to delete.
  func purgeResets(madeBy limit: Timestamp, _ batch: PurgeBatch) async throws -> Int
}
