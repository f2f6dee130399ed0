/// Counts of the stored data, and of recent activity.
package struct Statistics: Sendable, Equatable {
  /// The number of memes that are not deleted, and of deleted memes that are not purged.
  package let memes: Int
  package let deletedMemes: Int
  package let people: Int
  package let suspended: Int
  /// Includes expired sessions until they are purged, which takes up to an hour.
  package let sessions: Int
  package let openReports: Int
  /// The numbers of likes and comments, except on purged memes.
  package let likes: Int
  package let comments: Int
  package let bytes: ByteCounts
  /// The number of memes made on each of the last days, oldest first. Includes memes that were deleted since.
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
    /// The start of the day, in UTC.
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
