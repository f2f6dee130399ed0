package import Memes
package import Metrics

/// Gathers what admins look at.
package struct Overview: Sendable {
  /// For how many days uploads are told.
  private static let days = 30

  private let store: any StatisticsStore
  private let databaseBytes: @Sendable () -> Int
  private let freeBytes: @Sendable () -> Int?
  private let renders: Histogram
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - databaseBytes: of the database's file and its log.
  ///   - freeBytes: on the disk; `nil` where that is not known.
  ///   - renders: how long pictures took to draw.
  package init(
    store: any StatisticsStore, databaseBytes: @escaping @Sendable () -> Int,
    freeBytes: @escaping @Sendable () -> Int?, renders: Histogram,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.databaseBytes, self.freeBytes) = (store, databaseBytes, freeBytes)
    (self.renders, self.now) = (renders, now)
  }

  struct Figures {
    let statistics: Statistics
    let databaseBytes: Int
    let freeBytes: Int?
    /// Since the process started, in seconds.
    let renders: Histogram.Reading
  }

  func figures() async throws(MemeError) -> Figures {
    Figures(
      statistics: try await store.statistics(days: Self.days, at: now()),
      databaseBytes: databaseBytes(), freeBytes: freeBytes(), renders: renders.reading)
  }
}
