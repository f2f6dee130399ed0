/// What ``Liking`` needs of a store. One call is one transaction, and decides in it who sees the meme.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; and ``MemeError/notFound`` or ``MemeError/gone`` where there is no such meme for who asks.
package protocol MarkStore: Sendable {
  /// Those that write throw ``MemeError/unauthorized`` where the viewer is nobody who has an account (any more). When they return
  /// what they did is durable, and what is counted is true.
  func put(
    _ mark: Mark, on id: MemeID, by viewer: Viewer, at time: Timestamp
  ) async throws(MemeError)

  func remove(_ mark: Mark, from id: MemeID, by viewer: Viewer) async throws(MemeError)

  /// People who like the meme, those first who began last.
  func likers(
    of id: MemeID, for viewer: Viewer, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Profile>

  /// The memes that a person put a mark on, newest first, whether they may still see them or not; those that are purged are
  /// left out. It throws nothing but what the store has to say.
  func marked(
    _ mark: Mark, by person: UserID, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<MarkedMeme>
}

/// A meme that a person put a mark on.
package struct MarkedMeme: Sendable, Equatable {
  package let meme: MemeID
  package let at: Timestamp

  package init(_ meme: MemeID, at time: Timestamp) { (self.meme, at) = (meme, time) }
}
