import CSQLite
import Metrics
import SQL

/// Tracks the length of the WAL, and decides when to checkpoint it.
final class WALState {
  /// How many bytes are written between checkpoints. Each checkpoint costs two fsyncs,
  /// and blocks the writer while it runs.
  static let checkpointBytes = 32 << 20
  /// How long the WAL may get before the writer waits for readers so that the WAL can start over.
  static let longBytes = 4 * checkpointBytes
  /// How long the writer then waits. Reads for requests finish sooner; a longer read is not worth the wait.
  private static let restartMilliseconds: Int32 = 20
  /// The delay before the next attempt if a reader blocks a checkpoint. Each delay is twice as long as the one before.
  private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(5))
  /// A reader that blocks checkpoints for this long is reported to the operator.
  static let longHold = Duration.seconds(10)

  private let path: String
  private let pageSize: Int
  /// The WAL's length in pages after the last commit.
  private var length = 0
  /// How many of these pages are copied into the database.
  private var copied = 0
  /// Whether checkpoints have failed since the last successful one.
  private var isFailing = false
  /// Set while a reader blocks checkpoints.
  private var hold: Hold?
  private let meter: WriterMeter
  private let report: @Sendable (CheckpointEvent) -> Void
  private let clock: () -> ContinuousClock.Instant

  private struct Hold {
    let since: ContinuousClock.Instant
    var pause: Duration
    var next: ContinuousClock.Instant
    var isTold = false
  }

  /// Replaces SQLite's own checkpoints, which run inside a commit while its caller waits.
  ///
  /// - Parameter report: called if checkpoints begin to fail, and for readers that block checkpoints.
  init(
    of connection: Connection, at path: String, meter: WriterMeter,
    report: @escaping @Sendable (CheckpointEvent) -> Void,
    clock: @escaping () -> ContinuousClock.Instant = { .now }
  ) throws(DatabaseError) {
    (self.path, self.meter, self.report, self.clock) = (path, meter, report, clock)
    pageSize = try connection.integer("PRAGMA page_size")
    // The hook receives this object, which lives as long as the connection, because the writer owns both.
    sqlite3_wal_hook(
      connection.handle,
      { state, _, _, pages in
        guard let state else { return SQLITE_OK }
        Unmanaged<WALState>.fromOpaque(state).takeUnretainedValue().committed(Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func committed(_ pages: Int) {
    // The WAL has started over.
    if pages < length { copied = 0 }
    length = pages
  }

  /// Copies committed pages into the database, once enough of them have accumulated.
  ///
  /// A passive checkpoint waits for no reader. But the WAL then starts over only if no reader happens to use it, so it
  /// can keep growing. Once it is long, the writer waits briefly, until new readers only need the database.
  ///
  /// A failed checkpoint loses nothing: the WAL is durable, and the next checkpoint does the work. A reader that still
  /// needs the state before the WAL blocks checkpoints while it reads. The writer does not wait for that reader.
  ///
  /// On a full disk, a checkpoint is always due. After it has copied the whole WAL, the WAL starts over in the space
  /// that it already has, unless it was emptied before. If another process is writing at this moment, the checkpoint
  /// is postponed until after the next commit.
  ///
  /// - Returns: how long to wait before the next call, which is due even without a commit; `nil`
  ///   if no reader blocks the checkpoint.
  func checkpointWhereDue(_ connection: Connection, through gate: CheckpointGate) -> Duration? {
    let isDue = (length - copied) * pageSize >= Self.checkpointBytes
    guard isDue || isLong || connection.ranOutOfDisk else { return nil }
    let now = clock()
    if let hold, now < hold.next, !connection.ranOutOfDisk { return hold.next - now }
    gate.passIfFree { checkpoint(connection, now) }
    return hold?.pause
  }

  /// Copies the whole WAL into the database, which overwrites deleted data there, and truncates the WAL.
  ///
  /// - Returns: `false` if a reader, another process or an error prevented this.
  func empty(_ connection: Connection, through gate: CheckpointGate) -> Bool {
    let start = clock()
    var isHeld = true
    gate.passIfFree {
      sqlite3_busy_timeout(connection.handle, Self.restartMilliseconds)
      isHeld = run(SQLITE_CHECKPOINT_TRUNCATE, on: connection)
      sqlite3_busy_timeout(connection.handle, Connection.busyMilliseconds)
      meter.checkpointSeconds.observe(clock() - start)
      if !isHeld { released(clock()) }
    }
    guard !isHeld, !isFailing else { return false }
    (length, copied) = (0, 0)
    return true
  }

  private var isLong: Bool { length * pageSize >= Self.longBytes }

  private func checkpoint(_ connection: Connection, _ now: ContinuousClock.Instant) {
    var isHeld = run(SQLITE_CHECKPOINT_PASSIVE, on: connection)
    if isLong, !isHeld {
      sqlite3_busy_timeout(connection.handle, Self.restartMilliseconds)
      isHeld = run(SQLITE_CHECKPOINT_RESTART, on: connection)
      sqlite3_busy_timeout(connection.handle, Connection.busyMilliseconds)
    }
    meter.checkpointSeconds.observe(clock() - now)
    if isHeld { held(now) } else { released(now) }
  }

  private func held(_ now: ContinuousClock.Instant) {
    var hold = hold ?? Hold(since: now, pause: Self.pauses.first / 2, next: now)
    hold.pause = min(hold.pause * 2, Self.pauses.longest)
    hold.next = now + hold.pause
    if !hold.isTold, now - hold.since >= Self.longHold {
      hold.isTold = true
      let reader = LogReaders.name(ofDatabase: path)
      meter.hold.begin(reader, since: hold.since)
      report(.held(by: reader, for: now - hold.since))
    }
    self.hold = hold
  }

  private func released(_ now: ContinuousClock.Instant) {
    guard let hold else { return }
    self.hold = nil
    guard hold.isTold else { return }
    meter.hold.end()
    report(.released(after: now - hold.since))
  }

  /// - Returns: whether a reader blocks the checkpoint.
  private func run(_ mode: Int32, on connection: Connection) -> Bool {
    var (frames, framesCopied): (Int32, Int32) = (0, 0)
    DatabaseError.forgetSystemError()
    let result = sqlite3_wal_checkpoint_v2(
      connection.handle, "main", mode, &frames, &framesCopied)
    let isBusy = result & 0xFF == SQLITE_BUSY
    if result == SQLITE_OK {
      isFailing = false
    } else if !isBusy {
      // On a full disk, each commit that fails repeats the checkpoint.
      if !isFailing { report(.failed(DatabaseError(result, in: connection.handle))) }
      isFailing = true
    }
    copied = max(0, Int(framesCopied))
    return isBusy || result == SQLITE_OK && framesCopied < frames
  }
}
