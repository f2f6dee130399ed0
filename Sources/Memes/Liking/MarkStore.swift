/// Stores reactions for ``Liking``. Each call is one transaction, which also checks whether the viewer may see the
/// meme. Changes are durable and counted on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)``
/// or ``MemeError/storage(_:)``; also ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the
/// meme. The methods that change something may also throw ``MemeError/unauthorized`` if the viewer has no
/// account or has deleted it.
package protocol MarkStore: Sendable {
  /// Adds a reaction. Has no effect if it exists already.
  func put(
    _ mark: Reaction, on id: MemeID, by viewer: Principal, at time: Timestamp
  ) async throws

  /// Removes a reaction. Users can also remove their own from a meme that they can no longer see.
  func remove(_ mark: Reaction, from id: MemeID, by viewer: Principal) async throws

  /// A page of the users who like the meme, the most recent likes first.
  func likers(
    of id: MemeID, for viewer: Principal, after position: ListPosition?, limit: Int
  ) async throws -> Page<Profile>

  /// A page of the memes with a reaction by the user, the newest memes first. Includes memes that the user can no
  /// longer see, but not purged memes. Does not throw ``MemeError/notFound`` or ``MemeError/gone``.
  func marked(
    _ mark: Reaction, by person: UserID, after position: ListPosition?, limit: Int
  ) async throws -> Page<MemeReactions>
}

/// A meme with a reaction by a user, and the time of the reaction.
package struct MemeReactions: Sendable, Equatable {
  package let meme: MemeID
  package let at: Timestamp

  package init(_ meme: MemeID, at time: Timestamp) { (self.meme, at) = (meme, time) }
}
