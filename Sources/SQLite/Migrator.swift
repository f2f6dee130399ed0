import CSQLite

/// One step of the schema: an SQL script that is never changed once it has run anywhere.
package struct Migration: Sendable, Equatable {
  package let name: String
  package let sql: String

  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}

/// Why a database file cannot be used.
package enum MigrationError: Error, Equatable {
  /// The file is not an SQLite database, or it is damaged.
  case unreadable(SQLiteError)
  /// The file is an SQLite database of something else.
  case foreign
  /// A newer program has migrated the file: its version, and the latest one that this program knows.
  case newer(found: Int, known: Int)
  /// The file is of an older program and cannot be migrated, because it is only looked at: its version, and the latest.
  case outdated(found: Int, known: Int)
  /// The file was migrated with another text of this migration.
  case changed(name: String)
  /// A migration failed; the file is as it was before that migration.
  case failed(name: String, SQLiteError)
  /// The file cannot be opened or prepared.
  case unusable(SQLiteError)
}

extension MigrationError {
  /// Damage where the bytes of the file are wrong, and something else where they could not be read now.
  fileprivate init(whileReading error: SQLiteError) {
    self = [.notADatabase, .corrupt].contains(error.code) ? .unreadable(error) : .unusable(error)
  }
}

/// Brings a database to the newest schema, one transaction a step.
///
/// The file says whose it is (`application_id`), how far it is (`user_version`), and with which text each step was made.
package struct Migrator: Sendable {
  private let applicationID: Int32
  private let migrations: [Migration]

  /// - Parameters:
  ///   - applicationID: marks the file as this application's; not 0.
  ///   - migrations: all of them, in order. The first is version 1.
  package init(applicationID: Int32, migrations: [Migration]) {
    (self.applicationID, self.migrations) = (applicationID, migrations)
  }

  /// Tells whose file it is before anything is written to it.
  ///
  /// - Returns: whether the file is new and empty.
  func inspect(_ connection: Connection) throws(MigrationError) -> Bool {
    let found: (application: Int, version: Int, tables: Int)
    do throws(SQLiteError) {
      found = (
        try connection.integer("PRAGMA application_id"),
        try connection.integer("PRAGMA user_version"),
        try connection.integer("SELECT count(*) FROM sqlite_schema")
      )
    } catch { throw MigrationError(whileReading: error) }
    if found == (0, 0, 0) { return true }
    guard found.application == Int(applicationID) else { throw .foreign }
    guard found.version <= migrations.count else {
      throw .newer(found: found.version, known: migrations.count)
    }
    return false
  }

  /// How many migrations there are.
  var newest: Int { migrations.count }

  /// How many migrations the file has, each with the text that is known here; 0 where it is new and empty.
  func version(of connection: Connection) throws(MigrationError) -> Int {
    try inspect(connection) ? 0 : migrations.count - pending(connection).count
  }

  /// Tells whether the file has all migrations, with the text that is known here.
  func verify(_ connection: Connection) throws(MigrationError) {
    let version = try version(of: connection)
    guard version == newest else { throw .outdated(found: version, known: newest) }
  }

  /// Runs the migrations that the file does not have yet.
  func migrate(_ connection: Connection) throws(MigrationError) {
    let missing = try pending(connection)
    for (index, migration) in zip(missing.indices, missing) {
      do throws(SQLiteError) {
        try apply(migration, version: index + 1, to: connection)
      } catch {
        throw .failed(name: migration.name, error)
      }
    }
  }

  /// The migrations that the file does not have yet.
  private func pending(_ connection: Connection) throws(MigrationError) -> ArraySlice<Migration> {
    let applied: [Migration]
    do throws(SQLiteError) { applied = try Self.applied(in: connection) } catch {
      throw MigrationError(whileReading: error)
    }
    for (stored, known) in zip(applied, migrations) where stored != known {
      throw .changed(name: known.name)
    }
    return migrations.dropFirst(applied.count)
  }

  private static func applied(in connection: Connection) throws(SQLiteError) -> [Migration] {
    guard try connection.integer("PRAGMA user_version") > 0 else { return [] }
    return try connection.transaction(.deferred) { db throws(SQLiteError) in
      try db.all("SELECT name, sql FROM migrations ORDER BY version") { row throws(SQLiteError) in
        Migration(name: try row[0], sql: try row[1])
      }
    }
  }

  private func apply(
    _ migration: Migration, version: Int, to connection: Connection
  ) throws(SQLiteError) {
    try connection.transaction(.immediate) { db throws(SQLiteError) in
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS migrations (
          version INTEGER PRIMARY KEY, name TEXT NOT NULL, sql TEXT NOT NULL
        ) STRICT;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """)
      try connection.execute(migration.sql)
      try db.run(
        "INSERT INTO migrations (version, name, sql) VALUES (?, ?, ?)",
        version, migration.name, migration.sql)
    }
  }
}
