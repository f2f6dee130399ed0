package import Memes
package import SQL

/// Computes statistics for admins, from the tables `totals` and `upload_days`, which triggers maintain, and from counts
/// of rows in `users`, `sessions` and `reports`.
///
/// Each call is one transaction on a thread for long reads. Every method may throw ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct StatisticsStore: Sendable {
  private static let dayMilliseconds: Int64 = 86_400_000

  private let readers: any Readers

  package init(_ readers: any Readers) { self.readers = readers }

  /// - Parameters:
  ///   - days: the number of days in ``Statistics/uploads``, including today.
  ///   - time: the current time.
  package func statistics(days: Int, at time: Timestamp) async throws -> Statistics {
    let today = time.millisecondsSince1970 / Self.dayMilliseconds
    let first = today - Int64(max(1, days)) + 1
    return try await readers.readLong(for: Requester.current?.turnText) { db in
      let counted = try db.all(
        "SELECT day, memes FROM \(db.dialect.uploadDays) WHERE day BETWEEN ? AND ?", first, today
      ) { row in (try row[0] as Int64, try row[1] as Int) }
      let counts = Dictionary(counted) { count, _ in count }
      let uploads = (first...today).map { day in
        Statistics.Day(
          start: Timestamp(millisecondsSince1970: day * Self.dayMilliseconds),
          count: counts[day] ?? 0)
      }
      let found = try db.first(Self.query(db.dialect)) { row in
        try Statistics(&row, uploads: uploads)
      }
      guard let found else {
        throw MemeError(DatabaseError(.corrupt, "The totals row is missing from the database."))
      }
      return found
    }
  }

  private static func query(_ dialect: Dialect) -> String {
    """
    SELECT visible, deleted,
      (SELECT count(*) FROM users), (SELECT count(*) FROM users WHERE suspended_at IS NOT NULL),
      (SELECT count(*) FROM sessions), (SELECT count(*) FROM reports WHERE status = 0),
      likes, comments,
      original_bytes, image_bytes, picture_bytes - original_bytes - image_bytes, derived_bytes
    FROM \(dialect.totals) WHERE id = 1
    """
  }
}

extension Statistics {
  /// Decodes the columns that ``StatisticsStore`` selects.
  fileprivate init(_ row: inout Row, uploads: [Day]) throws {
    self.init(
      memes: try row.next(), deletedMemes: try row.next(),
      people: try row.next(), suspended: try row.next(),
      sessions: try row.next(), openReports: try row.next(),
      likes: try row.next(), comments: try row.next(),
      bytes: ByteCounts(
        originals: try row.next(), images: try row.next(), thumbnails: try row.next(),
        derived: try row.next()),
      uploads: uploads)
  }
}
