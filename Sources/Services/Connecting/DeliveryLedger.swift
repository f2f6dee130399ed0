import Storage

/// Records attempts while the next ones are made: the disk and the network do not wait for each other. At most one
/// recording runs, and it takes all results that have come since the one before.
///
/// One turn uses it, which adds one result after another.
actor DeliveryLedger {
  /// The maximum number of results that wait while others are being recorded.
  private static let mostWaiting = 8

  private let record: @Sendable ([EventStore.Result]) async throws -> Bool
  private var waiting: [EventStore.Result] = []
  private var work: Task<Void, Never>?
  private var failure: (any Error)?
  /// Resumed when the waiting results are taken, or dropped.
  private var room: CheckedContinuation<Void, Never>?
  private(set) var delivered = 0
  /// Whether the connection was running at the last recording, and every recording succeeded.
  private(set) var goesOn = true

  init(_ record: @escaping @Sendable ([EventStore.Result]) async throws -> Bool) {
    self.record = record
  }

  /// Waits if many results are not recorded yet, so that a crash repeats only a few deliveries.
  func add(_ result: EventStore.Result) async {
    if waiting.count >= Self.mostWaiting, work != nil {
      await withCheckedContinuation { room = $0 }
    }
    if case .delivered = result.fate { delivered += 1 }
    // The events of a failed recording are delivered again, so later ones must be too, to keep their order.
    guard failure == nil else { return }
    waiting.append(result)
    if work == nil { work = Task { await recordAll() } }
  }

  /// Waits until everything is recorded.
  ///
  /// - Returns: ``goesOn``.
  /// - Throws: the error of a recording. The results after it are dropped.
  func settle() async throws -> Bool {
    while let work { await work.value }
    if let failure { throw failure }
    return goesOn
  }

  private func recordAll() async {
    defer { work = nil }
    while !waiting.isEmpty {
      let results = waiting
      dropWaiting()
      do { goesOn = try await record(results) && goesOn } catch {
        (goesOn, failure) = (false, error)
        dropWaiting()
      }
    }
  }

  private func dropWaiting() {
    waiting = []
    room?.resume()
    room = nil
  }
}
