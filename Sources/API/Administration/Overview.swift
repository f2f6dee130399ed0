import Memes
package import Metrics
package import Storage

/// How the decoder processes are confined.
package struct DecoderConfinement: Sendable {
  /// Whether their system calls are restricted.
  let calls: Bool
  /// Whether their access to files is restricted.
  let files: Bool

  package init(calls: Bool, files: Bool) { (self.calls, self.files) = (calls, files) }
}

/// Gathers the statistics that admins see.
package struct Overview: Sendable {
  /// The number of days for which uploads are counted.
  private static let days = 30

  private let store: StatisticsStore
  private let databaseBytes: @Sendable () async throws -> Int
  private let freeBytes: @Sendable () -> Int?
  private let renders: Histogram
  private let confinement: @Sendable () -> DecoderConfinement?

  /// - Parameters:
  ///   - databaseBytes: returns the size of the database.
  ///   - freeBytes: returns the free disk space; `nil` if it is unknown.
  ///   - renders: the durations of rendering.
  ///   - confinement: returns how the rendering processes are confined; `nil` if there are none.
  package init(
    store: StatisticsStore, databaseBytes: @escaping @Sendable () async throws -> Int,
    freeBytes: @escaping @Sendable () -> Int?, renders: Histogram,
    confinement: @escaping @Sendable () -> DecoderConfinement?
  ) {
    (self.store, self.databaseBytes, self.freeBytes) = (store, databaseBytes, freeBytes)
    (self.renders, self.confinement) = (renders, confinement)
  }

  struct Figures {
    let statistics: Statistics
    let databaseBytes: Int
    let freeBytes: Int?
    /// Durations since the process started, in seconds.
    let renders: Histogram.Reading
    let confinement: DecoderConfinement?
  }

  /// - Parameter time: the current time.
  func figures(at time: Timestamp) async throws -> Figures {
    Figures(
      statistics: try await store.statistics(days: Self.days, at: time),
      databaseBytes: try await databaseBytes(), freeBytes: freeBytes(), renders: renders.reading,
      confinement: confinement())
  }
}
