import Bytes
import CSQLite
import Foundation

/// One connection to a database file, with its prepared statements.
///
/// Used by one thread at a time: ``Writer`` and ``Readers`` see to it.
final class Connection {
  enum Access {
    case readWrite, readOnly
    /// A file on a read-only file system: no file can be made beside it either. With a log that was left, the log's
    /// index is made in memory.
    case readOnlyMedium(hasLog: Bool)

    /// How a reader opens the file at this path.
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
  /// Told of each commit how long it took and how many transactions shared it; nothing for who only reads.
  var onCommit: ((_ took: Duration, _ transactions: Int) -> Void)?
  /// The statements that are not in use.
  private var idle: [String: Statement] = [:]
  /// Whether the disk was too full for what was last begun, or for a part of it.
  var ranOutOfDisk = false

  /// Opens the file; with `.readWrite` it is made where there is none.
  ///
  /// Nothing is read yet, so a file that is no database goes unnoticed here.
  init(path: String, _ access: Access, busyMilliseconds: Int32) throws(SQLiteError) {
    let (name, flags, system): (String, Int32, String?) =
      switch access {
      case .readWrite: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
      case .readOnly: (path, SQLITE_OPEN_READONLY, nil)
      // Without locks, which need no place then.
      case .readOnlyMedium(hasLog: true): (path, SQLITE_OPEN_READONLY, "unix-none")
      case .readOnlyMedium(hasLog: false):
        (Self.immutable(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
      }
    var handle: OpaquePointer?
    SQLiteError.forgetSystemError()
    let result = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, system)
    guard result == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteError(result, in: handle)
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, busyMilliseconds)
    // A file that somebody tampered with must not get SQL run, nor the schema be written by plain SQL
    // (https://sqlite.org/security.html).
    sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    sqlite3_db_config_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    try execute("PRAGMA cell_size_check = ON")
    // The log's index is in this process's memory then (https://sqlite.org/wal.html#noshm).
    if case .readOnlyMedium(hasLog: true) = access {
      try execute("PRAGMA locking_mode = EXCLUSIVE")
    }
  }

  /// The URI of a file that does not change (https://sqlite.org/uri.html).
  private static func immutable(_ path: String) -> String {
    let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    return "file:\(encoded ?? path)?immutable=1"
  }

  deinit {
    // Statements are finalized before their connection is closed; close_v2 would otherwise keep it as a zombie.
    idle = [:]
    sqlite3_close_v2(handle)
  }

  /// The bytes of the pages that are kept in memory.
  var cacheBytes: Int {
    var (used, most): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &used, &most, 0)
    return Int(used)
  }

  /// Lets go of the kept pages where they are many, as after a transaction with pictures: those are written once, and what
  /// is needed again is in the system's cache.
  func releaseLargeCache() {
    if cacheBytes > Self.largeCacheBytes { sqlite3_db_release_memory(handle) }
  }

  private static let largeCacheBytes = 2 << 20

  /// Runs a script of any number of statements that take no parameters.
  func execute(_ script: String) throws(SQLiteError) {
    guard !script.utf8.contains(0) else { throw SQLiteError(.misuse, "A script holds a NUL.") }
    SQLiteError.forgetSystemError()
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw SQLiteError(result, in: handle) }
  }

  /// The integer that a query without parameters returns.
  func integer(_ sql: String) throws(SQLiteError) -> Int {
    try withStatement(sql, []) { statement throws(SQLiteError) in
      guard try statement.step() else { throw SQLiteError(.misuse, "No row from: \(sql)") }
      return try statement.withRow { row throws(SQLiteError) in try row[0] }
    }
  }

  /// Lends the statement of `sql`, prepared on first use and kept.
  ///
  /// A statement in use is not in the store of idle ones, so that its use within its own rows gets one of its own.
  func withStatement<Value>(
    _ sql: String, _ values: [any Bindable],
    _ body: (Statement) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    let statement: Statement
    if let known = idle.removeValue(forKey: sql) {
      statement = known
    } else {
      statement = try Statement(sql, in: handle)
    }
    defer {
      statement.reset()
      idle[sql] = statement
    }
    try statement.bind(values)
    return try body(statement)
  }
}
