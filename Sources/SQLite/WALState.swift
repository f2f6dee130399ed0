import CSQLite
import Metrics

/// How long the write-ahead log is, and whether it is time to copy it back into the database.
final class WALState {
  /// How much is written between checkpoints. Each costs two fsyncs and, while it lasts, keeps the writer from writing.
  static let checkpointBytes = 32 << 20
  /// How long the log may get before the writer waits for readers to let it start over.
  static let longBytes = 4 * checkpointBytes
  /// How long it waits then. Readers of requests are done sooner; one that lasts is not worth a wait.
  private static let restartMilliseconds: Int32 = 20
  /// How long the next try is put off if a reader keeps the log from being copied: twice as long each time.
  private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(5))
  /// After this the operator is told.
  static let longHold = Duration.seconds(10)

  private let path: String
  private let pageSize: Int
  /// The log's length in pages after the last commit.
  private var length = 0
  /// How much of that is copied into the database.
  private var copied = 0
  /// Set while a reader keeps the log from being copied.
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

  /// Takes the place of SQLite's own checkpoints, which run inside a commit while its caller waits.
  ///
  /// - Parameter report: told of every checkpoint that fails, and of readers that last.
  init(
    of connection: Connection, at path: String, meter: WriterMeter,
    report: @escaping @Sendable (CheckpointEvent) -> Void,
    clock: @escaping () -> ContinuousClock.Instant = { .now }
  ) throws(SQLiteError) {
    (self.path, self.meter, self.report, self.clock) = (path, meter, report, clock)
    pageSize = try connection.integer("PRAGMA page_size")
    // The hook is called with this object, which lives as long as the connection: both belong to the writer.
    sqlite3_wal_hook(
      connection.handle,
      { state, _, _, pages in
        guard let state else { return SQLITE_OK }
        Unmanaged<WALState>.fromOpaque(state).takeUnretainedValue().committed(Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func committed(_ pages: Int) {
    // The log has started over.
    if pages < length { copied = 0 }
    length = pages
  }

  /// Copies what was committed into the database, once enough has come together.
  ///
  /// A passive checkpoint waits for nobody, but then the log starts over only if nobody happens to read from it. Where
  /// readers leave no such moment it grows; once it is long, the writer waits a moment until new readers need the database alone.
  /// A checkpoint that fails is no loss: the log is durable, and the next one does its work. A reader that still needs what was
  /// before the log keeps it from being copied for as long as it reads: the writer does not wait for it.
  ///
  /// On a full disk one is always due: once all of the log is copied it starts over, in room that it has already.
  /// Where another process writes at this moment, it is put off until after the next commit.
  ///
  /// - Returns: how long to wait before it is called again, also if nothing is committed; `nil` if no reader is in the way.
  func checkpointWhereDue(_ connection: Connection, through gate: CheckpointGate) -> Duration? {
    let isDue = (length - copied) * pageSize >= Self.checkpointBytes
    guard isDue || isLong || connection.ranOutOfDisk else { return nil }
    let now = clock()
    if let hold, now < hold.next, !connection.ranOutOfDisk { return hold.next - now }
    gate.passIfFree { checkpoint(connection, now) }
    return hold?.pause
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

  /// - Returns: whether a reader needs what is there.
  private func run(_ mode: Int32, on connection: Connection) -> Bool {
    var (frames, framesCopied): (Int32, Int32) = (0, 0)
    SQLiteError.forgetSystemError()
    let result = sqlite3_wal_checkpoint_v2(
      connection.handle, "main", mode, &frames, &framesCopied)
    let isBusy = result & 0xFF == SQLITE_BUSY
    if result != SQLITE_OK, !isBusy {
      report(.failed(SQLiteError(result, in: connection.handle)))
    }
    copied = max(0, Int(framesCopied))
    return isBusy || result == SQLITE_OK && framesCopied < frames
  }
}
