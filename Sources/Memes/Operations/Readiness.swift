/// Tells whether the server can do its work.
///
/// Whoever asks costs next to nothing: what was found out holds for a while, and those who ask meanwhile share one
/// look. No look takes long, either: a part that does not answer in time counts as not working.
package actor Readiness {
  /// What is looked at.
  package enum Check: String, CaseIterable, Sendable { case database, renderer, disk }

  /// A disk with less is full, whatever the floor.
  private static let minimumBytes = 1 << 20

  /// How long, and how patiently.
  package struct Timing: Sendable {
    /// How long what was found out holds.
    package var holds = Duration.seconds(1)
    /// How long a part may take to answer.
    package var patience = Duration.seconds(3)

    package init() {}
  }

  private let probes: [(check: Check, probe: Probe)]
  private let freeDiskBytes: @Sendable () -> Int?
  private let diskFloorBytes: Int
  private let timing: Timing
  private let report: @Sendable (Check, String) -> Void
  private var looking: Task<[Check], Never>?
  private var found: (failures: [Check], until: ContinuousClock.Instant)?

  /// - Parameters:
  ///   - database: throws where nothing can be written.
  ///   - renderer: throws where nothing can be drawn; where it is only too busy it draws.
  ///   - freeDiskBytes: of the data folder's disk; `nil` where the system does not tell.
  ///   - diskFloorBytes: how many bytes must be free.
  ///   - report: told of every failure that a look finds, with its cause, which is for the operator alone.
  package init(
    database: @escaping @Sendable () async throws(MemeError) -> Void,
    renderer: @escaping @Sendable () async throws(MemeError) -> Void,
    freeDiskBytes: @escaping @Sendable () -> Int?, diskFloorBytes: Int, timing: Timing = Timing(),
    report: @escaping @Sendable (Check, String) -> Void
  ) {
    let drawing = Probe { () async throws(MemeError) in
      do throws(MemeError) { try await renderer() } catch {
        if case .overloaded = error { return }
        throw error
      }
    }
    probes = [(.database, Probe(database)), (.renderer, drawing)]
    (self.freeDiskBytes, self.diskFloorBytes) = (freeDiskBytes, diskFloorBytes)
    (self.timing, self.report) = (timing, report)
  }

  /// The checks that fail; none where the server is ready.
  package func failures() async -> [Check] {
    if let found, .now < found.until { return found.failures }
    // Not a part of the task that asks: the look goes on for the others where its client leaves.
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
    guard let free = freeDiskBytes() else { return "the system does not tell how much is free" }
    let needed = max(diskFloorBytes, Self.minimumBytes)
    return free < needed ? "\(free) bytes are free, \(needed) are needed" : nil
  }
}
