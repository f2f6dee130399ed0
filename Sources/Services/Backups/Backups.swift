package import Bytes
import Foundation
package import Memes
package import Metrics
package import Storage
import Synchronization

/// Makes backups, one at a time, while the server keeps running; applies the retention rule; and removes backups.
///
/// Safe to use from any thread.
package final class Backups: Sendable {
  /// The number of failed backups since the process started. Canceled ones do not count.
  package let failures = Counter()
  /// The retention rule.
  package let keeping: BackupRetention

  /// The maximum number of findings that are reported per copy. A check reports the rest.
  private static let maximumFindings = 100

  private struct State {
    /// The backup in progress.
    var running: Backup?
    var task: Task<Void, Never>?
    /// The last backup, if it failed.
    var failed: Backup?
    /// The complete backups as of the last look at the folder.
    var complete: [Backup] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let store: any BackupStore
  private let program: String
  private let now: @Sendable () -> Timestamp
  private let report: @Sendable (BackupEvent) -> Void

  /// Removes the files of unfinished backups of an earlier process.
  ///
  /// - Parameters:
  ///   - program: the version that makes the backups.
  ///   - report: receives events. Runs on any thread.
  package init(
    store: any BackupStore, keeping: BackupRetention, program: String,
    now: @escaping @Sendable () -> Timestamp,
    report: @escaping @Sendable (BackupEvent) -> Void
  ) {
    (self.store, self.keeping, self.program) = (store, keeping, program)
    (self.now, self.report) = (now, report)
    store.removeLeftovers()
    _ = try? look()
  }

  /// The complete backups, and the one in progress or the last one if it failed; newest first.
  package func all() throws -> [Backup] {
    // Read before the folder: a backup that completes in between is then found twice rather than missed. It is listed
    // as complete only once the next one may begin.
    let latest = latest
    let complete = try look()
    guard let latest else { return complete }
    return [latest] + complete.filter { $0.id != latest.id }
  }

  /// The complete backups as of the last look at the folder. Costs nothing, but misses later changes that others made
  /// in the folder.
  package var known: [Backup] { state.withLock { $0.complete } }

  /// The backups in ``known`` with a date in the future: the clock was ahead when they were made, or is behind now.
  /// Dates up to a minute ahead do not count, because backups made in the same second get successive dates.
  package var datedAhead: [Backup] {
    let limit = now().millisecondsSince1970 + 60_000
    return known.filter { $0.takenAt.millisecondsSince1970 > limit }
  }

  /// The time at which the newest complete backup began; `nil` if there is none. Backups with a date in the future
  /// do not count.
  var newest: Timestamp? {
    let time = now()
    return (try? look())?.first { $0.takenAt <= time }?.takenAt
  }

  /// The free bytes on the disk of the backups; `nil` if unknown.
  package var freeBytes: Int? { store.freeBytes }

  /// - Throws: ``MemeError/notFound``.
  package func backup(_ id: BackupID) throws -> Backup {
    guard let backup = try all().first(where: { $0.id == id }) else { throw MemeError.notFound }
    return backup
  }

  /// Begins a backup. It contains everything that is durable at this moment.
  ///
  /// - Parameter authority: the admin who requests it; `nil` for the schedule.
  /// - Returns: the backup, now in progress.
  /// - Throws: ``MemeError/backupRunning(_:)``; ``MemeError/storageFull`` if the disk has no space for it;
  ///   ``MemeError/storageBusy`` if the server is stopping.
  package func begin(by authority: Authority?) async throws -> Backup {
    let backup = try reserve(isManual: authority != nil)
    do {
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

  /// Removes a complete backup, cancels the one in progress, or forgets the failed one.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func remove(_ id: BackupID, by authority: Authority) async throws {
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
      // The backup may have completed before the cancellation reached it.
      if let late = try look().first(where: { $0.id == id }) { try store.remove(late) }
    case .failed: break
    }
    state.withLock { if $0.failed?.id == id { $0.failed = nil } }
  }

  /// Opens the file of a complete backup.
  ///
  /// - Throws: ``MemeError/notFound``, also if the backup is not complete.
  package func open(
    _ id: BackupID, by authority: Authority
  ) async throws -> (backup: Backup, file: OpenedFile) {
    let backup = try backup(id)
    guard case .complete = backup.state else { throw MemeError.notFound }
    let file = try store.open(backup)
    try await store.record(
      AuditEntry(at: now(), authority, .downloadBackup, id.description))
    return (backup, file)
  }

  /// Cancels the backup in progress, and rejects new ones. Does not wait for the end, unlike ``settle()``.
  package func close() {
    let task = state.withLock { state in
      state.isOver = true
      return state.task
    }
    task?.cancel()
  }

  /// Waits until no backup is in progress.
  package func settle() async { await state.withLock { $0.task }?.value }

  private func giveUp(_ id: BackupID) async {
    while true {
      let (isRunning, task) = state.withLock { ($0.running?.id == id, $0.task) }
      guard isRunning else { return }
      if let task {
        task.cancel()
        return await task.value
      }
      // `begin` has reserved the backup, but not created its task yet.
      await Task.yield()
    }
  }

  private func look() throws -> [Backup] {
    let complete = try store.all()
    state.withLock { $0.complete = complete }
    return complete
  }

  private var latest: Backup? { state.withLock { $0.running ?? $0.failed } }

  private func reserve(isManual: Bool) throws -> Backup {
    let time = now()
    let begun = state.withLock { state -> Result<Backup, any Error> in
      if state.isOver { return .failure(MemeError.storageBusy) }
      if let running = state.running { return .failure(MemeError.backupRunning(running.id)) }
      // Under the lock, so that only one backup begins at a time.
      let begun = Result {
        try store.begin(
          .version7(at: time, random: UUID()), at: time, by: program, isManual: isManual)
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
    do {
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
    do { return try store.complete(backup, verifiedAt: now()) } catch {
      throw failure(for: error)
    }
  }

  private func failure(for error: any Error) -> BackupFailure {
    if Task.isCancelled { return .cancelled }
    report(.broke(error))
    if case MemeError.storageFull = error { return .storageFull }
    return .failed
  }

  private func show(_ state: Backup.State, of id: BackupID) {
    self.state.withLock { if $0.running?.id == id { $0.running?.state = state } }
  }

  /// - Parameter made: this backup is kept even if others have later dates. That happens if the clock was set back, or
  ///   if they were made in the same second.
  private func removeSurplus(besides made: Backup) {
    do {
      for backup in keeping.surplus(of: try store.all()) where backup.id != made.id {
        try store.remove(backup)
        report(.removed(backup))
      }
      _ = try look()
    } catch { report(.broke(error)) }
  }
}

extension Error {
  /// Whether the storage caused the error, rather than the client or a busy server.
  fileprivate var isOfTheDisk: Bool {
    switch self as any Error {
    case MemeError.storageFull, MemeError.storage: true
    default: false
    }
  }
}
