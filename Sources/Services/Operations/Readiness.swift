import Memes

/// Checks whether the server can do its work.
///
/// Calls are cheap: a result is cached for a while, and concurrent callers share one check. A check has a time limit: a
/// part that does not respond in time counts as failed.
package actor Readiness {
  /// The checked parts.
  package enum Check: String, CaseIterable, Sendable { case database, renderer, disk, objects }

  /// A disk with less free space counts as full, whatever the configured limit is.
  private static let minimumBytes = 1 << 20

  /// How long a result is valid, and the timeout of a check.
  package struct Timing: Sendable {
    /// How long a result is valid.
    package var holds = Duration.seconds(1)
    /// The timeout for each part.
    package var patience = Duration.seconds(3)

    package init() {}
  }

  /// The checks of the parts that may be slow.
  package struct Probes: Sendable {
    let database: @Sendable () async throws -> Void
    let renderer: @Sendable () async throws -> Void
    let objects: (@Sendable () async throws -> Void)?

    /// - Parameters:
    ///   - database: throws if nothing can be written.
    ///   - renderer: throws if nothing can be drawn. An `overloaded` error does not count as a failure.
    ///   - objects: throws if the object store does not answer; `nil` if there is none.
    package init(
      database: @escaping @Sendable () async throws -> Void,
      renderer: @escaping @Sendable () async throws -> Void,
      objects: (@Sendable () async throws -> Void)? = nil
    ) {
      (self.database, self.renderer, self.objects) = (database, renderer, objects)
    }
  }

  /// The checks of this server.
  package nonisolated let checks: [Check]
  private let probes: [(check: Check, probe: Probe)]
  private let freeDiskBytes: @Sendable () -> Int?
  private let diskFloorBytes: Int
  private let timing: Timing
  private let report: @Sendable (Check, String) -> Void
  private var looking: Task<[Check], Never>?
  private var found: (failures: [Check], until: ContinuousClock.Instant)?

  /// - Parameters:
  ///   - freeDiskBytes: the free space on the data folder's disk; `nil` if the system does not report it.
  ///   - diskFloorBytes: the minimum free space.
  ///   - report: receives every failure with its cause, which is only for the operator.
  package init(
    _ parts: Probes, freeDiskBytes: @escaping @Sendable () -> Int?, diskFloorBytes: Int,
    timing: Timing = Timing(),
    report: @escaping @Sendable (Check, String) -> Void
  ) {
    let drawing = Probe {
      do { try await parts.renderer() } catch {
        if case MemeError.overloaded = error { return }
        throw error
      }
    }
    probes =
      [(.database, Probe(parts.database)), (.renderer, drawing)]
      + (parts.objects.map { [(.objects, Probe($0))] } ?? [])
    checks = Check.allCases.filter { $0 != .objects || parts.objects != nil }
    (self.freeDiskBytes, self.diskFloorBytes) = (freeDiskBytes, diskFloorBytes)
    (self.timing, self.report) = (timing, report)
  }

  /// The failed checks; empty if the server is ready.
  package func failures() async -> [Check] {
    if let found, .now < found.until { return found.failures }
    // An unstructured task: it continues for other callers if this one is canceled.
    let look = looking ?? Task { await lookAround() }
    looking = look
    return await look.value
  }

  private func lookAround() async -> [Check] {
    var causes: [(check: Check, cause: String)] = []
    let patience = timing.patience
    await withTaskGroup(of: (Check, String?).self) { group in
      for (check, probe) in probes {
        group.addTask { (check, await probe.failure(within: patience)) }
      }
      for await (check, cause) in group {
        if let cause { causes.append((check, cause)) }
      }
    }
    if let cause = diskFailure { causes.append((.disk, cause)) }
    for (check, cause) in causes { report(check, cause) }
    let failures = Check.allCases.filter { check in causes.contains { $0.check == check } }
    found = (failures, .now + timing.holds)
    looking = nil
    return failures
  }

  private var diskFailure: String? {
    guard let free = freeDiskBytes() else { return "cannot read the free disk space" }
    let needed = max(diskFloorBytes, Self.minimumBytes)
    return free < needed ? "\(free) bytes free, \(needed) required" : nil
  }
}
