package import Memes
package import SQLite

/// What makes a copy of a database a backup: one row of a table that no server's database has.
package struct BackupStamp: Sendable, Equatable {
  package let id: BackupID
  /// When the backup was begun.
  package let takenAt: Timestamp
  /// `nil` where the copy was not verified, or is not yet: then it is no backup.
  package let verifiedAt: Timestamp?
  /// The version of the program that made it.
  package let program: String
  /// As in ``Backup``.
  package let isManual: Bool
  package let number: Int
  package let keys: BackupKeys

  /// Reads the stamp of a database that is open, whatever its version.
  ///
  /// - Returns: `nil` where it has none: a server's own, or a plain copy of one.
  package static func read(
    in database: ReadOnlyDatabase
  ) throws(SQLiteError) -> BackupStamp? {
    try database.readers.read { db throws(SQLiteError) in
      guard try hasTable(in: db) else { return nil }
      // Version 0.1.0 wrote neither an origin nor a number.
      let more = try hasNumbers(in: db) ? "is_manual, number" : "0, 0"
      return try db.first(
        "SELECT id, taken_at, verified_at, program, secret_key, admin_token, \(more) FROM backup"
      ) { row throws(SQLiteError) in try BackupStamp(row) }
    }
  }

  /// Takes the stamp off, so that what is left is a server's database.
  ///
  /// - Parameter db: of a database that somebody begins to use, backup or not.
  package static func remove<Failure>(
    in db: borrowing Transaction<Failure>
  ) throws(Failure) {
    try db.run("DROP TABLE IF EXISTS backup")
  }

  /// Puts it on a copy.
  func write(in db: borrowing Transaction<SQLiteError>) throws(SQLiteError) {
    try db.run(
      """
      CREATE TABLE backup (
        id BLOB NOT NULL, taken_at INTEGER NOT NULL, verified_at INTEGER, program TEXT NOT NULL,
        secret_key BLOB NOT NULL, admin_token TEXT, is_manual INTEGER NOT NULL, number INTEGER NOT NULL
      ) STRICT
      """)
    try db.run(
      """
      INSERT INTO backup (id, taken_at, verified_at, program, secret_key, admin_token, is_manual, number)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      id.bytes, takenAt.millisecondsSince1970, verifiedAt?.millisecondsSince1970, program,
      keys.secretKey, keys.adminToken, isManual, number)
  }

  static func setVerified(
    at time: Timestamp, in db: borrowing Transaction<SQLiteError>
  ) throws(SQLiteError) {
    try db.run("UPDATE backup SET verified_at = ?", time.millisecondsSince1970)
  }

  private static func hasTable(
    in db: borrowing Transaction<SQLiteError>
  ) throws(SQLiteError) -> Bool {
    try db.first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup'") {
      row throws(SQLiteError) in try row[0] as Bool
    } ?? false
  }

  private static func hasNumbers(
    in db: borrowing Transaction<SQLiteError>
  ) throws(SQLiteError) -> Bool {
    try db.first("SELECT 1 FROM pragma_table_info('backup') WHERE name = 'number'") {
      row throws(SQLiteError) in try row[0] as Bool
    } ?? false
  }

  private init(_ row: borrowing Row) throws(SQLiteError) {
    id = BackupID(try row.uuid(at: 0))
    takenAt = try row.timestamp(at: 1)
    verifiedAt = try row.isNull(at: 2) ? nil : row.timestamp(at: 2)
    program = try row[3]
    keys = BackupKeys(secretKey: try row[4], adminToken: try row[5])
    (isManual, number) = (try row[6], try row[7])
  }

  init(
    id: BackupID, takenAt: Timestamp, verifiedAt: Timestamp?, program: String, isManual: Bool,
    number: Int, keys: BackupKeys
  ) {
    (self.id, self.takenAt, self.verifiedAt) = (id, takenAt, verifiedAt)
    (self.program, self.keys) = (program, keys)
    (self.isManual, self.number) = (isManual, number)
  }
}

/// What a server keeps beside its database, and needs to know the tokens again that it gave out.
package struct BackupKeys: Sendable, Equatable {
  /// The content of `secret-key`.
  package let secretKey: [UInt8]
  /// The content of `admin-token`; `nil` where a setting has the token.
  package let adminToken: String?

  package init(secretKey: [UInt8], adminToken: String?) {
    (self.secretKey, self.adminToken) = (secretKey, adminToken)
  }
}

extension BackupKeys: CustomStringConvertible, CustomReflectable {
  /// Never the keys: what is printed may be a log.
  package var description: String { "BackupKeys" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
