package import Memes
package import SQL
package import SQLite

/// Marks a copy of a database as a backup: the single row of the table `backup`, which does not exist in a server's
/// database.
package struct BackupStamp: Sendable, Equatable {
  package let id: BackupID
  /// The time at which the backup began.
  package let takenAt: Timestamp
  /// `nil` if the copy is not verified; then it is not a backup.
  package let verifiedAt: Timestamp?
  /// The version of the program that made the backup.
  package let program: String
  /// See ``Backup``.
  package let isManual: Bool
  package let number: Int
  package let keys: BackupKeys

  /// Reads the stamp of an open database of any version.
  ///
  /// - Returns: `nil` if the database has no stamp: a server's database, or a plain copy of one.
  package static func read(
    in database: ReadOnlyDatabase
  ) throws -> BackupStamp? {
    try database.readers.blockingRead { db in
      guard try db.exists("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup'")
      else { return nil }
      // Version 0.1.0 stored neither the origin nor a number.
      let hasNumber = try db.exists(
        "SELECT 1 FROM pragma_table_info('backup') WHERE name = 'number'")
      let more = hasNumber ? "is_manual, number" : "0, 0"
      return try db.first(
        "SELECT id, taken_at, verified_at, program, secret_key, admin_token, \(more) FROM backup"
      ) { row in try BackupStamp(&row) }
    }
  }

  /// Removes the stamp, so that the file becomes a server's database.
  ///
  /// - Parameter db: a transaction of the database that is about to be used, whether it is a backup or not.
  package static func remove(in db: borrowing Transaction) throws {
    try db.run("DROP TABLE IF EXISTS backup")
  }

  /// Adds the stamp to a copy.
  func write(in db: borrowing Transaction) throws {
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
    at time: Timestamp, in db: borrowing Transaction
  ) throws {
    try db.run("UPDATE backup SET verified_at = ?", time.millisecondsSince1970)
  }
}

extension BackupStamp {
  private init(_ row: inout Row) throws {
    id = BackupID(try row.nextUUID())
    takenAt = try row.nextTimestamp()
    verifiedAt = try row.nextOptionalTimestamp()
    program = try row.next()
    keys = BackupKeys(secretKey: try row.next(), adminToken: try row.next())
    (isManual, number) = (try row.next(), try row.next())
  }
}

/// The keys that a server stores next to its database. It needs them to recognize the tokens that it has issued.
package struct BackupKeys: Sendable, Equatable {
  /// The content of `secret-key`.
  package let secretKey: [UInt8]
  /// The content of `admin-token`; `nil` if the token is in a setting.
  package let adminToken: String?

  package init(secretKey: [UInt8], adminToken: String?) {
    (self.secretKey, self.adminToken) = (secretKey, adminToken)
  }
}

extension BackupKeys: CustomStringConvertible, CustomReflectable {
  /// Does not contain the keys, because the output may end up in a log.
  package var description: String { "BackupKeys" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
