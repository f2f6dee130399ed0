package import Memes
package import SQLite

/// Computes statistics for admins, from the tables `totals` and `upload_days`, which triggers maintain, and from counts
/// of rows in `users`, `sessions` and `reports`.
///
/// Each call is one transaction on a thread for long reads. Every method may throw ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct StatisticsStore: Sendable {
  private static let dayMilliseconds: Int64 = 86_400_000

  private let readers: Readers

  package init(_ readers: Readers) { self.readers = readers }

  /// - Parameters:
  ///   - days: the number of days in ``Statistics/uploads``, including today.
  ///   - time: the current time.
  package func statistics(days: Int, at time: Timestamp) async throws -> Statistics {
    let today = time.millisecondsSince1970 / Self.dayMilliseconds
    let first = today - Int64(max(1, days)) + 1
    return try await readers.readLong(for: Requester.current?.turnText) { db in
      let counted = try db.all(
        "SELECT day, memes FROM upload_days WHERE day BETWEEN ? AND ?", first, today
      ) { row in (try row[0] as Int64, try row[1] as Int) }
      let counts = Dictionary(counted) { count, _ in count }
      let uploads = (first...today).map { day in
        Statistics.Day(
          start: Timestamp(millisecondsSince1970: day * Self.dayMilliseconds),
          count: counts[day] ?? 0)
      }
      let found = try db.first(Self.query) { row in
        try Statistics(row, uploads: uploads)
      }
      guard let found else {
        throw MemeError(SQLiteError(.corrupt, "The row of totals is missing."))
      }
      return found
    }
  }

  private static let query = """
    SELECT visible, deleted, original_bytes, image_bytes, picture_bytes, derived_bytes,
      (SELECT count(*) FROM users), (SELECT count(*) FROM users WHERE suspended_at IS NOT NULL),
      (SELECT count(*) FROM sessions), (SELECT count(*) FROM reports WHERE status = 0),
      likes, comments
    FROM totals WHERE id = 1
    """
}

extension Statistics {
  /// Decodes the columns that ``StatisticsStore`` selects.
  fileprivate init(_ row: borrowing Row, uploads: [Day]) throws {
    let (originals, images, pictures): (Int, Int, Int) = (try row[2], try row[3], try row[4])
    self.init(
      memes: try row[0], deletedMemes: try row[1], people: try row[6], suspended: try row[7],
      sessions: try row[8], openReports: try row[9], likes: try row[10], comments: try row[11],
      bytes: ByteCounts(
        originals: originals, images: images, thumbnails: pictures - originals - images,
        derived: try row[5]),
      uploads: uploads)
  }
}
