import Foundation
import Memes
import Metrics
import Services
import Synchronization
import Testing

struct BackupsTests {
  @Test func `one backup runs at a time, in the background, with progress`() async throws {
    let (store, backups, events) = scene()
    #expect(store.state.withLock { $0.leftovers } == 0)
    let begun = try await backups.begin(by: .command)
    #expect(begun.state.name == "copying")
    while try backups.backup(begun.id).progress?.doneBytes != 5 { await Task.yield() }
    do {
      _ = try await backups.begin(by: .command)
      Issue.record("a second one was begun")
    } catch {
      guard case MemeError.backupRunning(begun.id) = error else { throw error }
    }
    #expect(try backups.all().map(\.id) == [begun.id])
    store.open()
    await backups.settle()
    let complete = try backups.backup(begun.id)
    #expect(complete.contents?.memes == 3 && complete.takenAt == begun.takenAt)
    #expect(try backups.all() == [complete])
    #expect(store.state.withLock { $0.acts } == [.createBackup])
    #expect(events.names == ["began", "completed"])
    #expect(backups.failures.value == 0)
  }

  @Test func `a damaged backup is discarded, and earlier ones stay`() async throws {
    let (store, backups, events) = scene(keeping: BackupRetention(days: 0, weeks: 0, manual: 0))
    store.open()
    let first = try await backups.begin(by: nil)
    await backups.settle()
    store.state.withLock { $0.findings = 2 }
    let second = try await backups.begin(by: nil)
    await backups.settle()
    #expect(try backups.all().map(\.id) == [second.id, first.id])
    #expect(try backups.backup(second.id).failure == .damaged(findings: 2))
    #expect(store.state.withLock { $0.discarded } == [second.id])
    #expect(store.state.withLock { $0.removed } == [])
    #expect(events.names == ["began", "completed", "began", "found", "found", "failed"])
    #expect(backups.failures.value == 1)
    // The next backup is complete. It replaces the failed one and, by the retention rule, the first.
    store.state.withLock { $0.findings = 0 }
    let third = try await backups.begin(by: nil)
    await backups.settle()
    #expect(try backups.all().map(\.id) == [third.id])
    #expect(store.state.withLock { $0.removed } == [first.id])
    // Scheduled backups are not admin actions.
    #expect(store.state.withLock { $0.acts } == [])
  }

  @Test func `a new backup is kept even if the clock was set back`() async throws {
    let clock = Ticking()
    let (store, backups, _) = scene(keeping: BackupRetention(days: 1, weeks: 0, manual: 0), clock)
    store.open()
    let first = try await backups.begin(by: nil)
    await backups.settle()
    clock.advance(seconds: -60)
    let second = try await backups.begin(by: nil)
    await backups.settle()
    #expect(try backups.all().map(\.id) == [first.id, second.id])
    clock.advance(seconds: 120)
    let third = try await backups.begin(by: nil)
    await backups.settle()
    #expect(try backups.all().map(\.id) == [third.id])
  }

  @Test func `only part of a long list of findings is reported`() async throws {
    let (store, backups, events) = scene()
    store.open()
    store.state.withLock { $0.findings = 5000 }
    let backup = try await backups.begin(by: nil)
    await backups.settle()
    #expect(try backups.backup(backup.id).failure == .damaged(findings: 5000))
    #expect(events.names.count { $0 == "found" } == 100)
  }

  @Test(arguments: [
    (MemeError.storageFull, BackupFailure.storageFull),
    (.storage(CocoaError(.fileWriteUnknown)), .failed),
  ])
  func `a failed backup leaves nothing and reports the reason`(
    _ error: MemeError, _ failure: BackupFailure
  ) async throws {
    let (store, backups, events) = scene()
    store.open()
    store.state.withLock { $0.failure = error }
    let backup = try await backups.begin(by: .command)
    await backups.settle()
    #expect(try backups.backup(backup.id).failure == failure)
    #expect(store.state.withLock { $0.drafts } == [])
    #expect(events.names == ["began", "broke", "failed"])
    try await backups.remove(backup.id, by: .command)
    #expect(try backups.all() == [])
  }

  @Test func `no backup begins without disk space or an audit log entry`() async throws {
    let (store, backups, _) = scene()
    store.state.withLock { $0.hasRoom = false }
    #expect(await code { _ = try await backups.begin(by: .command) } == "storageFull")
    #expect(backups.failures.value == 1)
    store.state.withLock { ($0.hasRoom, $0.recordFailure) = (true, .storageBusy) }
    #expect(await code { _ = try await backups.begin(by: .command) } == "storageBusy")
    #expect(try backups.all() == [])
    store.state.withLock { $0.recordFailure = nil }
    store.open()
    _ = try await backups.begin(by: .command)
    await backups.settle()
    #expect(try backups.all().count == 1)
  }

  @Test func `deleting a running backup cancels it`() async throws {
    let (store, backups, events) = scene()
    let backup = try await backups.begin(by: .command)
    try await backups.remove(backup.id, by: .command)
    #expect(try backups.all() == [])
    #expect(store.state.withLock { $0.discarded } == [backup.id])
    #expect(store.state.withLock { $0.acts } == [.createBackup, .deleteBackup])
    #expect(events.names == ["began", "failed"])
    // A cancellation is not a failure.
    #expect(backups.failures.value == 0)
    #expect(await code { try await backups.remove(backup.id, by: .command) } == "notFound")
  }

  @Test func `a stopping server cancels the backup and begins no other`() async throws {
    let (store, backups, _) = scene()
    let backup = try await backups.begin(by: .command)
    backups.close()
    await backups.settle()
    #expect(store.state.withLock { $0.discarded } == [backup.id])
    #expect(try backups.backup(backup.id).failure == .cancelled)
    #expect(await code { _ = try await backups.begin(by: .command) } == "storageBusy")
  }

  @Test func `only complete backups can be opened, and each download is logged`() async throws {
    let (store, backups, _) = scene()
    let backup = try await backups.begin(by: .command)
    #expect(await code { _ = try await backups.open(backup.id, by: .command) } == "notFound")
    store.open()
    await backups.settle()
    #expect(try await backups.open(backup.id, by: .command).backup.id == backup.id)
    #expect(store.state.withLock { $0.acts } == [.createBackup, .downloadBackup])
    store.state.withLock { $0.recordFailure = .storageFull }
    #expect(await code { _ = try await backups.open(backup.id, by: .command) } == "storageFull")
    #expect(await code { try await backups.remove(backup.id, by: .command) } == "storageFull")
    #expect(try backups.all().count == 1)
  }
}

struct BackupScheduleTests {
  @Test func `the interval counts from the newest backup, also after a restart`() async throws {
    let (store, clock, _, pauses) = try await run(interval: 3600, turns: 3)
    let times = store.state.withLock { $0.made.map(\.millisecondsSince1970) }
    #expect(times.count == 3)
    for (first, second) in zip(times, times.dropFirst()) {
      #expect((3600...3610).contains((second - first) / 1000))
    }
    #expect(pauses.allSatisfy { (3500...3600).contains($0) })

    // Like a process that starts ten minutes later.
    clock.advance(seconds: 600)
    let later = try await run(interval: 3600, turns: 1, store, clock)
    #expect((2900...3000).contains(try #require(later.pauses.first)))
    #expect(store.state.withLock { $0.made.count } == 4)
  }

  @Test func `an overdue backup is made at once, a failed one is retried after an hour`()
    async throws
  {
    let store = FakeBackups()
    store.state.withLock { $0.failure = .storageFull }
    let day = try await run(interval: 86_400, turns: 2, store)
    #expect(day.store.state.withLock { $0.discarded.count } == 2)
    #expect(day.pauses.allSatisfy { (3500...3600).contains($0) })
    store.state.withLock { $0.hasRoom = false }
    let full = try await run(interval: 60, turns: 2, store)
    #expect(full.pauses.allSatisfy { (50...60).contains($0) })
    #expect(full.told.count >= 2)
  }

  @Test func `a backup dated in the future does not delay the next one`() async throws {
    let (store, clock, _, _) = try await run(interval: 3600, turns: 1)
    clock.advance(seconds: -864_000)
    let later = try await run(interval: 3600, turns: 1, store, clock)
    #expect(store.state.withLock { $0.made.count } == 2)
    #expect(later.pauses.count == 1)
  }

  @Test func `a clock that is set back delays the next backup by an hour at most`() async throws {
    let (store, _, _, pauses) = try await run(interval: 86_400, turns: 2, jump: -864_000)
    #expect(store.state.withLock { $0.made.count } == 2)
    #expect(pauses.count == 3)
  }

  /// Runs a schedule until it has paused after `turns` attempts. The clock advances during pauses.
  ///
  /// - Parameter jump: by how many seconds the clock is set forward in the first pause.
  private func run(
    interval: Int, turns: Int, _ store: FakeBackups = FakeBackups(), _ clock: Ticking = Ticking(),
    jump: Int = 0
  ) async throws -> (store: FakeBackups, clock: Ticking, told: [String], pauses: [Int]) {
    store.open()
    let began = Mutex(0)
    let backups = Backups(
      store: store, keeping: BackupRetention(days: 1000, weeks: 0, manual: 0), program: "1",
      now: { clock.now }, report: { if case .began = $0 { began.withLock { $0 += 1 } } })
    let told = Mutex<[String]>([])
    let pauses = Mutex<[Int]>([])
    let (over, isOver) = AsyncStream<Void>.makeStream()
    let schedule = BackupSchedule(
      backups, intervalSeconds: interval, now: { clock.now },
      pause: { seconds in
        let tries = began.withLock { $0 } + told.withLock { $0.count }
        pauses.withLock { $0.append(seconds) }
        if tries >= turns, pauses.withLock({ $0.count }) >= turns {
          isOver.finish()
          throw CancellationError()
        }
        clock.advance(seconds: seconds + (pauses.withLock { $0.count } == 1 ? jump : 0))
      },
      report: { error in told.withLock { $0.append("\(error)") } })
    for await _ in over {}
    await schedule.stop()
    return (store, clock, told.withLock { $0 }, pauses.withLock { $0 })
  }
}

/// Records the names of events.
private final class Events: Sendable {
  private let events = Mutex<[String]>([])

  var names: [String] { events.withLock { $0 } }

  func add(_ event: BackupEvent) {
    events.withLock { $0.append(String("\(event)".prefix { $0 != "(" })) }
  }
}

private func scene(
  keeping: BackupRetention = BackupRetention(days: 7, weeks: 4, manual: 0),
  _ clock: Ticking = Ticking()
) -> (FakeBackups, Backups, Events) {
  let (store, events) = (FakeBackups(), Events())
  let backups = Backups(
    store: store, keeping: keeping, program: "1", now: { clock.now }, report: events.add)
  return (store, backups, events)
}

/// Returns the name of the error that `body` throws, or "none".
private func code(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "none"
  } catch { return String("\(error)".prefix { $0 != "(" }) }
}
