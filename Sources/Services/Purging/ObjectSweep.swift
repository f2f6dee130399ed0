package import Memes
package import Objects
package import Storage

/// Finds objects that no row names, such as those of a request that failed after it had put them. They are then
/// discarded.
///
/// The key of an object begins with the day on which it was put. A day is swept once, after it has been over for a
/// whole day: by then, no request can still be about to name one of its objects. The database remembers the last swept
/// day, so no day is left out if no server runs for a while. Several servers may sweep the same day.
package struct ObjectSweep: Purge {
  private let objects: any ObjectStore
  private let records: ObjectRecords
  private let now: @Sendable () -> Timestamp

  package init(
    _ objects: any ObjectStore, _ records: ObjectRecords, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.objects, self.records, self.now) = (objects, records, now)
  }

  /// Sweeps all days that are due.
  ///
  /// - Returns: the number of objects without a row.
  package func purgeBatch() async throws -> Int {
    guard var day = try await records.sweptDay()?.advanced(by: 1) else { return 0 }
    // The clock of one server alone could be ahead, and would sweep what other servers are about to name.
    let end = min(ObjectDay(now()), try await records.today()).advanced(by: -1)
    var count = 0
    while day < end, !Task.isCancelled {
      guard let found = try await sweep(day) else { break }
      count += found
      try await records.noteSwept(day)
      day = day.advanced(by: 1)
    }
    return count
  }

  /// - Returns: the number of objects without a row; `nil` if the task was canceled before the end.
  private func sweep(_ day: ObjectDay) async throws -> Int? {
    var (count, next) = (0, nil as ObjectPage.Next?)
    repeat {
      let page = try await objects.list(day.prefix, next)
      count += try await records.discardOrphans(of: page.keys)
      next = page.next
      if Task.isCancelled { return nil }
    } while next != nil
    return count
  }
}
