import CSQLite
import Metrics

/// How long the write-ahead log is, and whether it is time to copy it back into the database.
final class WALState {
  /// How much is written between checkpoints. Each costs two fsyncs and, while it lasts, keeps the writer from writing.
  static let checkpointBytes = 32 << 20
  /// How long the log may get before the writer waits for readers to let it start over.
  static let longBytes = 4 * checkpointBytes

  private let pageSize: Int
  /// The log's length in pages after the last commit.
  private var length = 0
  /// How much of that is copied into the database.
  private var copied = 0
  private let report: @Sendable (SQLiteError) -> Void

  /// Takes the place of SQLite's own checkpoints, which run inside a commit while its caller waits.
  ///
  /// - Parameter report: told of every checkpoint that fails.
  init(
    of connection: Connection, report: @escaping @Sendable (SQLiteError) -> Void
  ) throws(SQLiteError) {
    self.report = report
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
  /// readers leave no such moment it grows; once it is long, the writer waits until new readers need the database alone.
  /// A checkpoint that fails is no loss: the log is durable, and the next one, after the next commit, does its work.
  ///
  /// On a full disk one is always due: once all of the log is copied it starts over, in room that it has already.
  /// Where another process writes at this moment, it is put off until after the next commit.
  func checkpointWhereDue(
    _ connection: Connection, through gate: CheckpointGate, timing: Histogram
  ) {
    let isDue = (length - copied) * pageSize >= Self.checkpointBytes
    guard isDue || connection.ranOutOfDisk else { return }
    gate.passIfFree { checkpoint(connection, timing) }
  }

  private func checkpoint(_ connection: Connection, _ timing: Histogram) {
    let isLong = length * pageSize >= Self.longBytes
    let mode = isLong ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
    var framesCopied: Int32 = 0
    let began = ContinuousClock.now
    SQLiteError.forgetSystemError()
    let result = sqlite3_wal_checkpoint_v2(connection.handle, "main", mode, nil, &framesCopied)
    // Busy: a reader still needs what is there.
    if result != SQLITE_OK, result & 0xFF != SQLITE_BUSY {
      report(SQLiteError(result, in: connection.handle))
    }
    timing.observe(.now - began)
    copied = max(0, Int(framesCopied))
  }
}
