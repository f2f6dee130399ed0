/// What ``Following`` needs of a store. One call is one transaction, and decides in it who sees whom.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; and ``MemeError/notFound`` where there is no such person for who asks.
package protocol RelationStore: Sendable {
  func profile(_ username: Username, for viewer: Viewer) async throws(MemeError) -> Profile

  /// People, those first with whom it began last.
  func page(
    of circle: Circle, for viewer: Viewer, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Profile>

  /// People by the beginning of their username, or of words of their name.
  func people(
    matching query: PersonQuery, for viewer: Viewer, after position: PersonPosition?, limit: Int
  ) async throws(MemeError) -> FoundPeople

  /// Those below throw ``MemeError/invalid(field:_:)`` (`username`) for oneself, and ``MemeError/unauthorized`` where the person
  /// left. When they return what they did is durable.
  ///
  /// - Parameter maximum: of those whom the person follows.
  func follow(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws(MemeError)

  func unfollow(_ username: Username, by person: UserID) async throws(MemeError)

  /// Ends that they follow each other, too.
  ///
  /// - Parameter maximum: of those whom the person blocks.
  func block(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws(MemeError)

  func unblock(_ username: Username, by person: UserID) async throws(MemeError)
}
