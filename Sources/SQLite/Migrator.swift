import CSQLite
package import SQL

/// Why a database file cannot be used.
package enum MigrationError: Error, Equatable {
  /// The file is not an SQLite database, or it is damaged.
  case unreadable(DatabaseError)
  /// The file is an SQLite database of another application.
  case foreign
  /// The file was being filled, and is not complete.
  case unfinished
  /// A newer program has migrated the file: the file's version, and the latest version that this program knows.
  case newer(found: Int, known: Int)
  /// The file lacks migrations, and the caller does not migrate it: the file's version, and the latest version.
  case outdated(found: Int, known: Int)
  /// The file was migrated with a different text of this migration.
  case changed(name: String)
  /// A migration failed. The file is in the state before that migration.
  case failed(name: String, DatabaseError)
  /// The file cannot be opened or prepared.
  case unusable(DatabaseError)
}

extension MigrationError {
  /// `unreadable` if the bytes of the file are wrong; `unusable` if they could not be read this time.
  fileprivate init(whileReading error: DatabaseError) {
    self = [.notADatabase, .corrupt].contains(error.code) ? .unreadable(error) : .unusable(error)
  }
}

/// Migrates a database to the newest schema, with one transaction per migration.
///
/// The file stores its application (`application_id`), its version (`user_version`), and the
/// text of each migration that it has run.
package struct Migrator: Sendable {
  private let applicationID: Int32
  private let unfinishedID: Int32?
  private let migrations: [Migration]

  /// - Parameters:
  ///   - applicationID: marks the file as this application's; not 0.
  ///   - unfinishedID: marks a file that this application has not completed.
  ///   - migrations: all migrations, in order. The first one is version 1.
  package init(applicationID: Int32, unfinishedID: Int32? = nil, migrations: [Migration]) {
    (self.applicationID, self.unfinishedID) = (applicationID, unfinishedID)
    self.migrations = migrations
  }

  /// Verifies that the file belongs to this application, before anything is written to it.
  ///
  /// - Returns: whether the file is new and empty.
  func inspect(_ connection: Connection) throws(MigrationError) -> Bool {
    let found: (application: Int, version: Int, tables: Int)
    do throws(DatabaseError) {
      found = (
        try connection.integer("PRAGMA application_id"),
        try connection.integer("PRAGMA user_version"),
        try connection.integer("SELECT count(*) FROM sqlite_schema")
      )
    } catch { throw MigrationError(whileReading: error) }
    if found == (0, 0, 0) { return true }
    guard found.application == Int(applicationID) else {
      throw found.application == unfinishedID.map(Int.init) ? .unfinished : .foreign
    }
    guard found.version <= migrations.count else {
      throw .newer(found: found.version, known: migrations.count)
    }
    return false
  }

  /// The number of known migrations.
  var newest: Int { migrations.count }

  /// The number of migrations that the file has, all with the known text; 0 if it is new and empty.
  func version(of connection: Connection) throws(MigrationError) -> Int {
    try inspect(connection) ? 0 : migrations.count - pending(connection).count
  }

  /// Verifies that the file has all migrations, with the known text.
  func verify(_ connection: Connection) throws(MigrationError) {
    let version = try version(of: connection)
    guard version == newest else { throw .outdated(found: version, known: newest) }
  }

  /// Runs the migrations that the file does not have yet.
  func migrate(_ connection: Connection) throws(MigrationError) {
    let missing = try pending(connection)
    for (index, migration) in zip(missing.indices, missing) {
      do { try apply(migration, version: index + 1, to: connection) } catch {
        throw .failed(name: migration.name, DatabaseError(error))
      }
    }
  }

  /// The migrations that the file does not have yet.
  private func pending(_ connection: Connection) throws(MigrationError) -> ArraySlice<Migration> {
    let applied: [Migration]
    do { applied = try Self.applied(in: connection) } catch {
      throw MigrationError(whileReading: DatabaseError(error))
    }
    for (stored, known) in zip(applied, migrations) where stored != known {
      throw .changed(name: known.name)
    }
    return migrations.dropFirst(applied.count)
  }

  private static func applied(in connection: Connection) throws -> [Migration] {
    guard try connection.integer("PRAGMA user_version") > 0 else { return [] }
    return try connection.transaction(.deferred) { db in
      try db.all("SELECT name, sql FROM migrations ORDER BY version") { row in
        Migration(name: try row[0], sql: try row[1])
      }
    }
  }

  private func apply(
    _ migration: Migration, version: Int, to connection: Connection
  ) throws {
    try connection.transaction(.immediate) { db in
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
