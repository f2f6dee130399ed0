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
    try PostgreSQLDatabase(
      address, migrator: ServerMigrator(migrations), connections: connections,
      failure: { MemeError($0) })
  }

  /// Opens a database that a server has migrated, for a command. Servers may be using it.
  package static func openAsGuest(
    _ address: ServerAddress, migrations: [Migration], connections: Int,
    statementTimeout: Duration = PostgreSQLDatabase.usualTimeout
  ) throws(UnusableServer) -> PostgreSQLDatabase {
    try PostgreSQLDatabase(
      migrated: address, migrator: ServerMigrator(migrations), connections: connections,
      statementTimeout: statementTimeout, failure: { MemeError($0) })
  }
}
