/// What the use cases need of a store of people. One call is one transaction.
///
/// What depends on a password names its hash: where that is another by now, nothing is done. Every call may throw
/// ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol UserStore: Sendable {
  /// Keeps the account. When this returns it survives a crash of the machine.
  ///
  /// - Parameter answer: is kept with the account, both or neither.
  /// - Returns: the answer that the key has already; then nothing was written.
  /// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``.
  func insert(
    _ account: Account, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer?

  /// The account; `nil` where it is deleted.
  func account(_ id: UserID) async throws(MemeError) -> Account?

  /// The account that somebody means.
  func account(_ login: Login) async throws(MemeError) -> Account?

  /// Changes the profile; another email ends the resets that went to the old one.
  ///
  /// - Parameter password: `nil` where none was needed.
  /// - Returns: the person as they are now; `nil` where there is no such account with this password.
  /// - Throws: ``MemeError/emailTaken``.
  func change(
    _ change: ProfileChange, of id: UserID, if password: HashedPassword?
  ) async throws(MemeError) -> User?

  /// Gives the account another password, and ends all sessions but one, and all resets.
  ///
  /// - Returns: whether there was such an account with the old one.
  func setPassword(
    _ password: HashedPassword, of id: UserID, insteadOf old: HashedPassword, at time: Timestamp,
    keeping session: SessionID
  ) async throws(MemeError) -> Bool

  /// Takes back some of what the person did with memes: likes, favorites, comments. Counts are true after each call.
  ///
  /// - Parameter count: of rows, while which nobody else can write.
  /// - Returns: how many there were; fewer than `count` where none is left, or there is no such account with this password.
  func withdraw(
    _ id: UserID, if password: HashedPassword, atMost count: Int
  ) async throws(MemeError) -> Int

  /// Deletes the account with everything that the person made. What bytes it had are out of reach then, and go later.
  ///
  /// - Returns: whether there was such an account with this password.
  func delete(
    _ id: UserID, if password: HashedPassword, at time: Timestamp
  ) async throws(MemeError) -> Bool
}
