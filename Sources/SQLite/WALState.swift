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

  /// Takes the place of SQLite's own checkpoints, which run inside a commit while its caller waits.
  init(of connection: Connection) throws(SQLiteError) {
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
  /// A checkpoint that fails is no loss: the log is durable, and the next one does its work.
  func checkpointWhereDue(_ connection: Connection, timing: Histogram) {
    guard (length - copied) * pageSize >= Self.checkpointBytes else { return }
    let isLong = length * pageSize >= Self.longBytes
    let mode = isLong ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
    var framesCopied: Int32 = 0
    let began = ContinuousClock.now
    sqlite3_wal_checkpoint_v2(connection.handle, "main", mode, nil, &framesCopied)
    copied = max(0, Int(framesCopied))
    timing.observe(.now - began)
  }
}
