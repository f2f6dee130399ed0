import Bytes
import Foundation
import Memes
import Storage
import Synchronization

/// A backup store whose copying waits for `open()`.
final class FakeBackups: BackupStore {
  struct State {
    var complete: [Backup] = []
    /// The start times of completed backups, including backups that the retention rule has removed.
    var made: [Timestamp] = []
    var drafts: Set<BackupID> = []
    var discarded: [BackupID] = []
    var removed: [BackupID] = []
    var acts: [AdminAct] = []
    var leftovers = 1
    var hasRoom = true
    /// The number of findings that verification reports.
    var findings = 0
    /// The error that copying throws.
    var failure: MemeError?
    var recordFailure: MemeError?
  }

  let state = Mutex(State())
  private let gate = Gate()

  /// Lets the waiting copy, and all later ones, continue.
  func open() { gate.open() }

  func all() throws -> [Backup] {
    state.withLock { $0.complete.sorted { $0.takenAt > $1.takenAt } }
  }

  var freeBytes: Int? { 42 }

  func removeLeftovers() { state.withLock { $0.leftovers = 0 } }

  func begin(
    _ id: BackupID, at time: Timestamp, by program: String, isManual: Bool
  ) throws -> Backup {
    guard state.withLock({ $0.hasRoom }) else { throw MemeError.storageFull }
    state.withLock { _ = $0.drafts.insert(id) }
    return Backup(
      id: id, takenAt: time, program: program, isManual: isManual,
      number: state.withLock { ($0.complete.map(\.number).max() ?? 0) + 1 },
      state: .copying(BackupProgress(doneBytes: 0, allBytes: 10)))
  }

  func copy(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws {
    progress(BackupProgress(doneBytes: 5, allBytes: 10))
    await gate.pass()
    if Task.isCancelled { throw MemeError.storageBusy }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func verify(
    _ backup: Backup, report: @escaping @Sendable (Finding) -> Void,
    progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws -> CheckSummary {
    let findings = state.withLock { $0.findings }
    for number in 0..<findings { report(Finding(.orphanBlob, "blob=\(number)", "x")) }
    return CheckSummary(findings: findings)
  }

  func complete(
    _ backup: Backup, verifiedAt time: Timestamp
  ) throws -> Backup {
    var complete = backup
    complete.state = .complete(
      Backup.Contents(verifiedAt: time, byteCount: 10, memes: 3))
    state.withLock { state in
      state.drafts.remove(backup.id)
      state.complete.append(complete)
      state.made.append(complete.takenAt)
    }
    return complete
  }

  func discard(_ backup: Backup) {
    state.withLock { state in
      state.drafts.remove(backup.id)
      state.discarded.append(backup.id)
    }
  }

  func remove(_ backup: Backup) throws {
    state.withLock { state in
      state.complete.removeAll { $0.id == backup.id }
      state.removed.append(backup.id)
    }
  }

  func open(_ backup: Backup) throws -> OpenedFile {
    guard let file = OpenedFile(path: "/proc/self/exe") else { throw MemeError.notFound }
    return file
  }

  func record(_ entry: AuditEntry) async throws {
    if let failure = state.withLock({ $0.recordFailure }) { throw failure }
    state.withLock { $0.acts.append(entry.act) }
  }
}

/// Blocks callers until it is open or their task is canceled.
final class Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }

  func pass() async { for await _ in stream {} }
}

/// A clock that advances by a second at each reading, and by hand.
final class Ticking: Sendable {
  private let milliseconds = Mutex<Int64>(1_763_800_000_000)

  var now: Timestamp {
    milliseconds.withLock { time in
      time += 1000
      return Timestamp(millisecondsSince1970: time)
    }
  }

  func advance(seconds: Int) { milliseconds.withLock { $0 += Int64(seconds) * 1000 } }
}
