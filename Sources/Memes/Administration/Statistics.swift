/// How much there is, and how much was done.
package struct Statistics: Sendable, Equatable {
  /// What people see, and what is in the trash.
  package let memes: Int
  package let deletedMemes: Int
  package let people: Int
  package let suspended: Int
  /// Where people are signed in; those that are over count for up to an hour more.
  package let sessions: Int
  package let openReports: Int
  /// Of memes that are not purged.
  package let likes: Int
  package let comments: Int
  package let bytes: ByteCounts
  /// How many memes were made on each of the last days, oldest first; those that were deleted since count too.
  package let uploads: [Day]

  package struct ByteCounts: Sendable, Equatable {
    package let originals: Int
    package let images: Int
    package let thumbnails: Int
    package let derived: Int

    package init(originals: Int, images: Int, thumbnails: Int, derived: Int) {
      (self.originals, self.images) = (originals, images)
      (self.thumbnails, self.derived) = (thumbnails, derived)
    }
  }

  package struct Day: Sendable, Equatable {
    /// When it began, in UTC.
    package let start: Timestamp
    package let count: Int

    package init(start: Timestamp, count: Int) { (self.start, self.count) = (start, count) }
  }

  package init(
    memes: Int, deletedMemes: Int, people: Int, suspended: Int, sessions: Int, openReports: Int,
    likes: Int, comments: Int,
    bytes: ByteCounts, uploads: [Day]
  ) {
    (self.memes, self.deletedMemes, self.people) = (memes, deletedMemes, people)
    (self.suspended, self.sessions) = (suspended, sessions)
    (self.openReports, self.likes, self.comments) = (openReports, likes, comments)
    (self.bytes, self.uploads) = (bytes, uploads)
  }
}

/// Counts without going through what it counts.
package protocol StatisticsStore: Sendable {
  /// - Parameters:
  ///   - days: for how many, today among them.
  ///   - time: that is today.
  func statistics(days: Int, at time: Timestamp) async throws(MemeError) -> Statistics
}
