import Bytes
import CSQLite
import Foundation
import SQL

/// One connection to a database file, with its prepared statements.
///
/// ``SQLiteWriter`` and ``SQLiteReaders`` ensure that one thread at a time uses it.
final class Connection {
  enum Access {
    case readWrite, readOnly
    /// A file on a read-only file system, which cannot hold any new files next to it. If a
    /// WAL exists, the WAL index is in memory.
    case readOnlyMedium(hasLog: Bool)

    /// The access for a reader of the file at this path.
    static func reading(_ path: String) -> Access {
      guard FileStatus(of: "\(path)-shm") == nil, FileStatus.isOnReadOnlyFileSystem(path) else {
        return .readOnly
      }
      return .readOnlyMedium(
        hasLog: FileStatus(of: "\(path)-wal").map { $0.byteCount > 0 } ?? false)
    }
  }

  /// How long a writer waits for another process.
  static let busyMilliseconds: Int32 = 5000

  let handle: OpaquePointer
  /// Called after each commit with its duration and the number of transactions that shared
  /// it. Read-only connections have none.
  var onCommit: ((_ took: Duration, _ transactions: Int) -> Void)?
  /// The statements that are not in use.
  private var idle: [String: Statement] = [:]
  /// Whether the last transaction, or a part of it, failed because the disk was full.
  var ranOutOfDisk = false

  /// Opens the file. With `.readWrite`, this creates a missing file.
  ///
  /// It does not read the file yet, so it does not detect a file that is not a database.
  init(path: String, _ access: Access, busyMilliseconds: Int32) throws(DatabaseError) {
    let (name, flags, system): (String, Int32, String?) =
      switch access {
      case .readWrite: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
      case .readOnly: (path, SQLITE_OPEN_READONLY, nil)
      // This VFS takes no locks, because the file system has no place for them.
      case .readOnlyMedium(hasLog: true): (path, SQLITE_OPEN_READONLY, "unix-none")
      case .readOnlyMedium(hasLog: false):
        (Self.immutable(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
      }
    var handle: OpaquePointer?
    DatabaseError.forgetSystemError()
    let result = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, system)
    guard result == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw DatabaseError(result, in: handle)
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, busyMilliseconds)
    // A manipulated file must not be able to run SQL, and plain SQL must not be able to write the
    // schema (https://sqlite.org/security.html).
    sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    try execute("PRAGMA cell_size_check = ON")
    // This puts the WAL index into this process's memory (https://sqlite.org/wal.html#noshm).
    if case .readOnlyMedium(hasLog: true) = access {
      try execute("PRAGMA locking_mode = EXCLUSIVE")
    }
  }

  /// The URI of an immutable file (https://sqlite.org/uri.html).
  private static func immutable(_ path: String) -> String {
    let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    return "file:\(encoded ?? path)?immutable=1"
  }

  deinit {
    // Statements must be finalized before their connection closes. Otherwise close_v2 would keep it as a zombie.
    idle = [:]
    sqlite3_close_v2(handle)
  }

  /// The size of the page cache, in bytes.
  var cacheBytes: Int {
    var (used, most): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &used, &most, 0)
    return Int(used)
  }

  /// Releases the page cache if it is large, for example after a transaction with pictures. Those are written only
  /// once, and the system's cache still has the pages that SQLite needs again.
  func releaseLargeCache() {
    if cacheBytes > Self.largeCacheBytes { sqlite3_db_release_memory(handle) }
  }

  private static let largeCacheBytes = 2 << 20

  /// Runs a script of any number of statements without parameters.
  func execute(_ script: String) throws(DatabaseError) {
    guard !script.utf8.contains(0) else {
      throw DatabaseError(.misuse, "The script contains a NUL.")
    }
    DatabaseError.forgetSystemError()
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw DatabaseError(result, in: handle) }
  }

  /// The integer that a query without parameters returns.
  func integer(_ sql: String) throws(DatabaseError) -> Int { try value(of: sql) }

  /// The text that a query without parameters returns.
  func text(_ sql: String) throws(DatabaseError) -> String { try value(of: sql) }

  private func value<Value: ColumnValue>(of sql: String) throws(DatabaseError) -> Value {
    let statement = try statement(sql, [])
    defer { keep(statement) }
    guard try statement.step() else {
      throw DatabaseError(.misuse, "The query returned no row: \(sql)")
    }
    return try Row(statement)[0]
  }

  /// Returns the statement for `sql`, with its parameters bound. It is prepared on first
  /// use. Pass it to ``keep(_:)`` after use.
  ///
  /// A statement in use is not among the idle ones, so a nested use of the same SQL gets a statement of its own.
  func statement(_ sql: String, _ values: [any Bindable]) throws(DatabaseError) -> Statement {
    let statement =
      if let known = idle.removeValue(forKey: sql) { known } else {
        try Statement(sql, in: self)
      }
    do throws(DatabaseError) { try statement.bind(values) } catch {
      keep(statement)
      throw error
    }
    return statement
  }

  /// Resets a statement and stores it for its next use.
  func keep(_ statement: Statement) {
    statement.reset()
    idle[statement.sql] = statement
  }
}
