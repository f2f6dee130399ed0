/// Stores follows and blocks for ``Following``. Each call is one transaction, which also checks whether the viewer may
/// see the other users. Changes are durable on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; also ``MemeError/notFound`` if the viewer cannot see the user. The methods that change
/// something may also throw ``MemeError/invalid(field:_:)`` (`username`) for the user's own name, and
/// ``MemeError/unauthorized`` if the account was deleted.
package protocol RelationStore: Sendable {
  func profile(_ username: Username, for viewer: Principal) async throws -> Profile

  /// A page of a list of users, the most recent relations first.
  func page(
    of circle: UserList, for viewer: Principal, after position: ListPosition?, limit: Int
  ) async throws -> Page<Profile>

  /// A page of users, by a prefix of their username or of words in their display name.
  func people(
    matching query: PersonQuery, for viewer: Principal, after position: PersonPosition?, limit: Int
  ) async throws -> FoundPeople

  /// - Parameter maximum: the maximum number of users that the user can follow.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`username`) also if that number is reached.
  func follow(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws

  func unfollow(_ username: Username, by person: UserID) async throws

  /// Blocks a user. The two no longer follow each other.
  ///
  /// - Parameter maximum: the maximum number of users that the user can block.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`username`) also if that number is reached.
  func block(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws

  func unblock(_ username: Username, by person: UserID) async throws
}
