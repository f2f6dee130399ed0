package import Memes
package import Metrics

/// What keeps decoders from everything but their work.
package struct DecoderConfinement: Sendable {
  /// They have few system calls.
  let calls: Bool
  /// They can read few files.
  let files: Bool

  package init(calls: Bool, files: Bool) { (self.calls, self.files) = (calls, files) }
}

/// Gathers what admins look at.
package struct Overview: Sendable {
  /// For how many days uploads are told.
  private static let days = 30

  private let store: any StatisticsStore
  private let databaseBytes: @Sendable () -> Int
  private let freeBytes: @Sendable () -> Int?
  private let renders: Histogram
  private let confinement: @Sendable () -> DecoderConfinement?
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - databaseBytes: of the database's file and its log.
  ///   - freeBytes: on the disk; `nil` where that is not known.
  ///   - renders: how long pictures took to draw.
  ///   - confinement: of the processes that draw; `nil` if there are none.
  package init(
    store: any StatisticsStore, databaseBytes: @escaping @Sendable () -> Int,
    freeBytes: @escaping @Sendable () -> Int?, renders: Histogram,
    confinement: @escaping @Sendable () -> DecoderConfinement?,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.databaseBytes, self.freeBytes) = (store, databaseBytes, freeBytes)
    (self.renders, self.confinement, self.now) = (renders, confinement, now)
  }

  struct Figures {
    let statistics: Statistics
    let databaseBytes: Int
    let freeBytes: Int?
    /// Since the process started, in seconds.
    let renders: Histogram.Reading
    let confinement: DecoderConfinement?
  }

  func figures() async throws(MemeError) -> Figures {
    Figures(
      statistics: try await store.statistics(days: Self.days, at: now()),
      databaseBytes: databaseBytes(), freeBytes: freeBytes(), renders: renders.reading,
      confinement: confinement())
  }
}
