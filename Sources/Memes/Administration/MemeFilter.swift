/// A filter for memes. A meme matches if it fulfills every condition that is set.
package struct MemeFilter: Hashable, Sendable {
  /// Matches memes created at this time or later.
  package let after: Timestamp?
  /// Matches memes created before this time.
  package let before: Timestamp?
  package let author: Author?

  /// The author of the matching memes.
  package enum Author: Hashable, Sendable {
    case person(Username)
    /// Matches memes made without an account, unless a user has claimed them.
    case anonymous
  }

  /// - Returns: `nil` if no condition is set, because such a filter would match all memes.
  package init?(after: Timestamp? = nil, before: Timestamp? = nil, author: Author? = nil) {
    guard after != nil || before != nil || author != nil else { return nil }
    (self.after, self.before, self.author) = (after, before, author)
  }
}

/// The progress of a deletion in batches.
package struct BulkRun: Sendable {
  /// The number of the entry in the audit log.
  package let entry: Int64
  /// The newest item at the start of the deletion. Newer items are left alone.
  package let end: ListPosition
  package var count: Int
  package var isOver: Bool

  package init(entry: Int64, end: ListPosition, count: Int, isOver: Bool) {
    (self.entry, self.end, self.count, self.isOver) = (entry, end, count, isOver)
  }
}
