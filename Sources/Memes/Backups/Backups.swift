package import Bytes
package import Metrics
import Synchronization

/// Makes backups, one at a time, while everything else goes on; keeps them by a rule; and removes them.
///
/// Safe to use from any thread.
package final class Backups: Sendable {
  /// Those that could not be made, since the process started. What was given up is not among them.
  package let failures = Counter()
  /// Which of them are kept.
  package let keeping: BackupKeeping

  /// Of what is wrong in a copy so much is told: the rest is told by a check.
  private static let maximumFindings = 100

  private struct State {
    /// The one that is being made.
    var running: Backup?
    var task: Task<Void, Never>?
    /// The last one, where it failed.
    var failed: Backup?
    /// Those that were complete when somebody last looked.
    var complete: [Backup] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let store: any BackupStore
  private let program: String
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> BackupID
  private let report: @Sendable (BackupEvent) -> Void

  /// Removes what an earlier process has left of backups that it never completed.
  ///
  /// - Parameters:
  ///   - program: the version that makes them.
  ///   - report: told what happens. Runs on any thread.
  package init(
    store: any BackupStore, keeping: BackupKeeping, program: String,
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> BackupID,
    report: @escaping @Sendable (BackupEvent) -> Void
  ) {
    (self.store, self.keeping, self.program) = (store, keeping, program)
    (self.now, self.newID, self.report) = (now, newID, report)
    store.removeLeftovers()
    _ = try? look()
  }

  /// Those that are complete, and the one that is being made, or the last one where that failed; newest first.
  package func all() throws(MemeError) -> [Backup] {
    // First of all: one that is completed meanwhile is then there twice, and not missed. It is told of as complete when the next may begin.
    let latest = latest
    let complete = try look()
    guard let latest else { return complete }
    return [latest] + complete.filter { $0.id != latest.id }
  }

  /// Those that were complete when somebody last looked, which costs nothing: what happened in their folder since, but not by this
  /// server, is not told.
  package var known: [Backup] { state.withLock { $0.complete } }

  /// Those of ``known`` that are dated in the future: the clock was ahead when they were made, or is behind now. A minute does not
  /// count: backups that are made in one second are dated one after the other.
  package var datedAhead: [Backup] {
    let limit = now().millisecondsSince1970 + 60_000
    return known.filter { $0.takenAt.millisecondsSince1970 > limit }
  }

  /// When the newest complete one was begun; `nil` where there is none. Those of a clock that was set back since do not count.
  var newest: Timestamp? {
    let time = now()
    return (try? look())?.first { $0.takenAt <= time }?.takenAt
  }

  /// What is free on the disk that they go to; `nil` where that is not known.
  package var freeBytes: Int? { store.freeBytes }

  /// - Throws: ``MemeError/notFound``.
  package func backup(_ id: BackupID) throws(MemeError) -> Backup {
    guard let backup = try all().first(where: { $0.id == id }) else { throw .notFound }
    return backup
  }

  /// Begins a backup. It will have all that is durable now.
  ///
  /// - Parameter authority: who wants it; `nil` where that is the schedule.
  /// - Returns: the backup that is being made from now on.
  /// - Throws: ``MemeError/backupRunning(_:)``; ``MemeError/storageFull`` where the disk has no room for it;
  ///   ``MemeError/storageBusy`` where the server is about to stop.
  package func begin(by authority: Authority?) async throws(MemeError) -> Backup {
    let backup = try reserve(isManual: authority != nil)
    do throws(MemeError) {
      if let authority {
        try await store.record(
          AuditEntry(at: backup.takenAt, authority, .createBackup, backup.id.description))
      }
    } catch {
      state.withLock { $0.running = nil }
      throw error
    }
    report(.began(backup))
    state.withLock { state in
      state.failed = nil
      let task = Task { await make(backup) }
      if state.isOver { task.cancel() }
      state.task = task
    }
    return backup
  }

  /// Removes one that is complete, gives up the one that is being made, or forgets the one that failed.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func remove(_ id: BackupID, by authority: Authority) async throws(MemeError) {
    let backup = try backup(id)
    try await store.record(
      AuditEntry(at: now(), authority, .deleteBackup, id.description))
    switch backup.state {
    case .complete:
      try store.remove(backup)
      _ = try? look()
      report(.removed(backup))
    case .copying, .verifying:
      await giveUp(id)
      // It may have been complete before it heard of that.
      if let late = try look().first(where: { $0.id == id }) { try store.remove(late) }
    case .failed: break
    }
    state.withLock { if $0.failed?.id == id { $0.failed = nil } }
  }

  /// Opens the file of one that is complete.
  ///
  /// - Throws: ``MemeError/notFound``, also where it is not complete.
  package func open(
    _ id: BackupID, by authority: Authority
  ) async throws(MemeError) -> (backup: Backup, file: OpenedFile) {
    let backup = try backup(id)
    guard case .complete = backup.state else { throw .notFound }
    let file = try store.open(backup)
    try await store.record(
      AuditEntry(at: now(), authority, .downloadBackup, id.description))
    return (backup, file)
  }

  /// Gives up what is being made, and begins nothing more. Does not wait for its end, as ``settle()`` does.
  package func close() {
    let task = state.withLock { state in
      state.isOver = true
      return state.task
    }
    task?.cancel()
  }

  /// Waits until none is being made.
  package func settle() async { await state.withLock { $0.task }?.value }

  private func giveUp(_ id: BackupID) async {
    while true {
      let (isRunning, task) = state.withLock { ($0.running?.id == id, $0.task) }
      guard isRunning else { return }
      if let task {
        task.cancel()
        return await task.value
      }
      // Whoever asked for it has not begun it yet.
      await Task.yield()
    }
  }

  private func look() throws(MemeError) -> [Backup] {
    let complete = try store.all()
    state.withLock { $0.complete = complete }
    return complete
  }

  private var latest: Backup? { state.withLock { $0.running ?? $0.failed } }

  private func reserve(isManual: Bool) throws(MemeError) -> Backup {
    let time = now()
    let begun = state.withLock { state -> Result<Backup, MemeError> in
      if state.isOver { return .failure(.storageBusy) }
      if let running = state.running { return .failure(.backupRunning(running.id)) }
      // Inside of the lock: there is one at a time.
      let begun = Result { () throws(MemeError) in
        try store.begin(newID(time), at: time, by: program, isManual: isManual)
      }
      state.running = try? begun.get()
      return begun
    }
    if case .failure(let error) = begun, error.isOfTheDisk { failures.add() }
    return try begun.get()
  }

  private func make(_ backup: Backup) async {
    let began = ContinuousClock.now
    do throws(BackupFailure) {
      let complete = try await copied(backup)
      report(.completed(complete, took: .now - began))
      removeSurplus(besides: complete)
      state.withLock { ($0.running, $0.task) = (nil, nil) }
    } catch {
      store.discard(backup)
      var failed = backup
      failed.state = .failed(error)
      if error != .cancelled { failures.add() }
      report(.failed(failed))
      state.withLock { ($0.running, $0.task, $0.failed) = (nil, nil, failed) }
    }
  }

  private func copied(_ backup: Backup) async throws(BackupFailure) -> Backup {
    let summary: CheckSummary
    let told = Counter()
    do throws(MemeError) {
      try await store.copy(backup) { [self] in show(.copying($0), of: backup.id) }
      summary = try await store.verify(
        backup,
        report: { [report] finding in
          if told.value < Self.maximumFindings { report(.found(finding)) }
          told.add()
        },
        progress: { [self] in show(.verifying($0), of: backup.id) })
    } catch { throw failure(for: error) }
    guard summary.findings == 0 else { throw .damaged(findings: summary.findings) }
    do throws(MemeError) { return try store.complete(backup, verifiedAt: now()) } catch {
      throw failure(for: error)
    }
  }

  private func failure(for error: MemeError) -> BackupFailure {
    if Task.isCancelled { return .cancelled }
    report(.broke(error))
    if case .storageFull = error { return .storageFull }
    return .failed
  }

  private func show(_ state: Backup.State, of id: BackupID) {
    self.state.withLock { if $0.running?.id == id { $0.running?.state = state } }
  }

  /// - Parameter made: stays, also where others are dated later: by a clock that was set back since, or in the same second.
  private func removeSurplus(besides made: Backup) {
    do throws(MemeError) {
      for backup in keeping.surplus(of: try store.all()) where backup.id != made.id {
        try store.remove(backup)
        report(.removed(backup))
      }
      _ = try look()
    } catch { report(.broke(error)) }
  }
}

extension MemeError {
  /// Whether it is neither the client's nor a matter of waiting.
  fileprivate var isOfTheDisk: Bool {
    switch self {
    case .storageFull, .storage: true
    default: false
    }
  }
}
