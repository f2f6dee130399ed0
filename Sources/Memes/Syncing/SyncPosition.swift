/// A position in a user's changes, for a client with a copy of their memes. The client has all changes committed up
/// to this position.
package struct SyncPosition: Hashable, Sendable {
  /// Identifies the sequence of change numbers: one per user and database.
  package let epoch: UInt64
  /// The number of the last change that the client has.
  package let number: Int64
  /// The newest number when the client began with an empty copy. The client never had memes that were
  /// deleted before it.
  package let floor: Int64

  package init(epoch: UInt64, number: Int64, floor: Int64) {
    (self.epoch, self.number, self.floor) = (epoch, number, floor)
  }

  /// The position after a change.
  package func after(_ change: SyncChange) -> SyncPosition {
    SyncPosition(epoch: epoch, number: change.number, floor: floor)
  }
}

/// The newest change of one meme.
package struct SyncChange: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    /// The meme exists, in its current state.
    case upsert(Meme)
    case delete(MemeID, at: Timestamp)
  }

  /// The position in the commit order.
  package let number: Int64
  package let state: State

  package init(number: Int64, _ state: State) { (self.number, self.state) = (number, state) }
}

/// A page of a user's changes, in commit order. Each meme appears once, with its newest change.
package struct SyncPage: Sendable, Equatable {
  package let changes: [SyncChange]
  /// The position before the first change of the page.
  package let start: SyncPosition
  /// Whether there are more changes after this page.
  package let hasMore: Bool

  package init(changes: [SyncChange], start: SyncPosition, hasMore: Bool) {
    (self.changes, self.start, self.hasMore) = (changes, start, hasMore)
  }

  /// The position of a client after it has applied the page.
  package var end: SyncPosition { changes.last.map(start.after) ?? start }
}
