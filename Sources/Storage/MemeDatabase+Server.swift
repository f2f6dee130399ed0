import Memes
package import PostgreSQL
package import SQL

extension MemeDatabase {
  /// Opens the database on a PostgreSQL server, and migrates it. Other servers may be using it.
  ///
  /// - Parameters:
  ///   - migrations: the files in `migrations/postgres/`, oldest first.
  ///   - connections: the maximum number of connections of this process.
  package static func open(
    _ address: ServerAddress, migrations: [Migration], connections: Int
  ) throws(UnusableServer) -> PostgreSQLDatabase {
    try complete(
      PostgreSQLDatabase(
        address, migrator: ServerMigrator(migrations), connections: connections,
        failure: { MemeError($0) }))
  }

  /// Opens the database for `mememe move`, which keeps servers from it, and migrates it.
  package static func openForMoving(
    _ lock: MigrationLock, migrations: [Migration], statementTimeout: Duration
  ) throws(UnusableServer) -> PostgreSQLDatabase {
    try PostgreSQLDatabase(
      locked: lock, migrator: ServerMigrator(migrations), refusingRowsOf: "key_codes",
      connections: 1, statementTimeout: statementTimeout, failure: { $0 })
  }

  /// Rejects a database that `mememe move` has not completed.
  private static func complete(
    _ database: PostgreSQLDatabase
  ) throws(UnusableServer) -> PostgreSQLDatabase {
    let isUnfinished: Bool
    do {
      isUnfinished = try database.readers.blockingRead { db in try MoveMark.source(in: db) != nil }
    } catch { throw .unreachable("\(error)") }
    guard !isUnfinished else {
      database.close()
      throw .unfinishedMove
    }
    return database
  }

  /// Opens a database that a server has migrated, for a command. Servers may be using it.
  package static func openAsGuest(
    _ address: ServerAddress, migrations: [Migration], connections: Int,
    statementTimeout: Duration = PostgreSQLDatabase.usualTimeout
  ) throws(UnusableServer) -> PostgreSQLDatabase {
    try complete(
      PostgreSQLDatabase(
        migrated: address, migrator: ServerMigrator(migrations), connections: connections,
        statementTimeout: statementTimeout, failure: { MemeError($0) }))
  }
}
