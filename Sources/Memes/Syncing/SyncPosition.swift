/// A place in one person's changes, for a client that holds a copy of their memes: it knows all that was committed up to there.
package struct SyncPosition: Hashable, Sendable {
  /// Whose numbers these are: of one person, in one database.
  package let epoch: UInt64
  /// That of the last change that the client knows.
  package let number: Int64
  /// The newest number there was when the client began from nothing. What was deleted up to there, it never had.
  package let floor: Int64

  package init(epoch: UInt64, number: Int64, floor: Int64) {
    (self.epoch, self.number, self.floor) = (epoch, number, floor)
  }

  /// The same copy, further on.
  package func after(_ change: SyncChange) -> SyncPosition {
    SyncPosition(epoch: epoch, number: change.number, floor: floor)
  }
}

/// What became of one meme, at the place of its newest change.
package struct SyncChange: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    /// It is there: as it is now, whatever happened before.
    case upsert(Meme)
    case delete(MemeID, at: Timestamp)
  }

  /// Its place in the order in which changes were committed.
  package let number: Int64
  package let state: State

  package init(number: Int64, _ state: State) { (self.number, self.state) = (number, state) }
}

/// Some of a person's changes, in the order in which they were committed: each meme once, with its newest.
package struct SyncPage: Sendable, Equatable {
  package let changes: [SyncChange]
  /// Where the page begins.
  package let start: SyncPosition
  /// Whether there is more behind the last one now.
  package let hasMore: Bool

  package init(changes: [SyncChange], start: SyncPosition, hasMore: Bool) {
    (self.changes, self.start, self.hasMore) = (changes, start, hasMore)
  }

  /// Where a client is that knows the page.
  package var end: SyncPosition { changes.last.map(start.after) ?? start }
}
