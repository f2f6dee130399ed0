import Bytes
import CSQLite

/// One connection to a database file, with its prepared statements.
///
/// Used by one thread at a time: ``Writer`` and ``Readers`` see to it.
final class Connection {
  enum Access { case readWrite, readOnly }

  let handle: OpaquePointer
  /// Told how long each commit took; nothing for who only reads.
  var onCommit: ((Duration) -> Void)?
  /// The statements that are not in use.
  private var idle: [String: Statement] = [:]
  /// Whether the last transaction failed because the disk is full.
  private(set) var ranOutOfDisk = false

  /// Opens the file; with `.readWrite` it is made where there is none.
  ///
  /// Nothing is read yet, so a file that is no database goes unnoticed here.
  init(path: String, _ access: Access, busyMilliseconds: Int32) throws(SQLiteError) {
    let flags =
      switch access {
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(
      path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
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

extension Connection {
  enum TransactionKind: String {
    /// Reads a snapshot; takes it at the first read.
    case deferred = "BEGIN DEFERRED"
    /// Takes the write lock at once.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it or the commit throws.
  // Swift 6.3.1 crashes where it optimizes and inlines this.
  @inline(never)
  func transaction<Value, Failure: SQLiteFailure>(
    _ kind: TransactionKind,
    _ body: (borrowing Transaction<Failure>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try named(Failure.self) { () throws(SQLiteError) in try begin(kind) }
    do throws(Failure) {
      let value = try body(Transaction(self))
      try named(Failure.self) { () throws(SQLiteError) in try commit() }
      ranOutOfDisk = false
      return value
    } catch {
      ranOutOfDisk = sqlite3_errcode(handle) == SQLITE_FULL
      try? rollBack()
      throw error
    }
  }

  private func begin(_ kind: TransactionKind) throws(SQLiteError) {
    // Where rolling back failed too (a disk that answers again only now), this is the next chance.
    try rollBack()
    try control(kind.rawValue)
  }

  private func commit() throws(SQLiteError) {
    guard let onCommit else { return try control("COMMIT") }
    let began = ContinuousClock.now
    try control("COMMIT")
    onCommit(.now - began)
  }

  /// Ends an open transaction. Some failures (a full disk among them) have ended it already.
  private func rollBack() throws(SQLiteError) {
    if sqlite3_get_autocommit(handle) == 0 { try control("ROLLBACK") }
  }

  private func control(_ sql: String) throws(SQLiteError) {
    try withStatement(sql, []) { statement throws(SQLiteError) in _ = try statement.step() }
  }
}
