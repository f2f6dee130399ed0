/// Stores accounts. Each call is one transaction.
///
/// Methods with a password hash change nothing if the account has another hash by then. Every method may throw
/// ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol UserStore: Sendable {
  /// Stores the account. On return, it is durable.
  ///
  /// - Parameter answer: stored together with the account.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``.
  func insert(
    _ account: Account, answering answer: IdempotencyRecord?
  ) async throws -> IdempotencyRecord?

  /// The account; `nil` if it was deleted.
  func account(_ id: UserID) async throws -> Account?

  /// The account with this username or email, if there is one.
  func account(_ login: Login) async throws -> Account?

  /// Changes the profile. A new email ends the resets that were sent to the old one.
  ///
  /// - Parameter password: `nil` if the change requires no password.
  /// - Returns: the changed user; `nil` if there is no account with this password.
  /// - Throws: ``MemeError/emailTaken``.
  func change(
    _ change: ProfileChange, of id: UserID, if password: HashedPassword?
  ) async throws -> User?

  /// Changes the password, and ends all other sessions and all resets.
  ///
  /// - Parameter session: the session that stays.
  /// - Returns: `false` if there is no account with the old password.
  func setPassword(
    _ password: HashedPassword, of id: UserID, insteadOf old: HashedPassword, at time: Timestamp,
    keeping session: SessionID
  ) async throws -> Bool

  /// Deletes some of the user's likes, favorites and comments. Counts are correct after each call.
  ///
  /// - Parameter count: the maximum number of rows. Other writes wait during the call.
  /// - Returns: the number of deleted rows; less than `count` if nothing is left, or there is no
  ///   account with this password.
  func withdraw(
    _ id: UserID, if password: HashedPassword, atMost count: Int
  ) async throws -> Int

  /// Deletes the account and everything that the user made. The bytes of pictures become inaccessible at
  /// once, and are deleted later.
  ///
  /// - Returns: `false` if there is no account with this password.
  func delete(
    _ id: UserID, if password: HashedPassword, at time: Timestamp
  ) async throws -> Bool
}
