import CSQLite
import Foundation
import SQL

/// A copy of a database in progress, made by the connection that writes the database.
///
/// That connection also writes its commits to pages of the copy that were already copied. So the copy has the state of
/// the moment at which it is complete (https://sqlite.org/backup.html).
///
/// Used on the writer's queue.
final class DatabaseCopy {
  /// The progress of a copy.
  struct Progress: Sendable {
    let copiedBytes: Int64
    /// Grows with the database.
    let allBytes: Int64
    var isComplete: Bool { copiedBytes == allBytes }
  }

  private let source: Connection
  private let target: Connection
  private let backup: OpaquePointer
  private let pageSize: Int
  private var pages: Int32 = 0

  /// Starts the copy. The file must exist and be empty.
  init(of source: Connection, to path: String) throws(DatabaseError) {
    pageSize = try source.integer("PRAGMA page_size")
    target = try Connection(path: path, .readWrite, busyMilliseconds: 0)
    // An incomplete copy is useless. The caller syncs a complete copy, and removes a failed one.
    try target.execute(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2048")
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw DatabaseError(sqlite3_errcode(target.handle), in: target.handle)
    }
    (self.source, self.backup) = (source, backup)
  }

  deinit { sqlite3_backup_finish(backup) }

  /// Copies about this many bytes, and at least twice as many as the database has grown since the last step. So a
  /// client that writes continuously cannot outrun the copy.
  func step(bytes: Int) throws(DatabaseError) -> Progress {
    let before = pages
    let growth = before == 0 ? 0 : try Int32(clamping: source.integer("PRAGMA page_count")) - before
    let count = max(Int32(clamping: bytes / pageSize), growth.multipliedReportingOverflow(by: 2).0)
    let result = sqlite3_backup_step(backup, count)
    guard result == SQLITE_OK || result == SQLITE_DONE else {
      throw DatabaseError(result, in: target.handle)
    }
    pages = sqlite3_backup_pagecount(backup)
    let left = result == SQLITE_DONE ? 0 : Int64(sqlite3_backup_remaining(backup))
    let all = Int64(pages) * Int64(pageSize)
    return Progress(copiedBytes: all - left * Int64(pageSize), allBytes: all)
  }
}
