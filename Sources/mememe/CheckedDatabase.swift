import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Services
import Storage

/// A database as `mememe check` reads it.
struct CheckedDatabase {
  private enum Engine {
    case file(ReadOnlyDatabase)
    case shared(PostgreSQLDatabase)
  }

  let archive: MemeArchive
  /// The maximum number of pictures that are read at once.
  let pictures: Int
  private let engine: Engine

  /// A count of all rows of a table may take this long on PostgreSQL.
  static let statementTimeout = Duration.seconds(3600)

  /// - Parameters:
  ///   - pictures: the maximum number of pictures to read at once.
  ///   - isInUse: whether a server may be using the database.
  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``UnusableServer``, and the errors of ``SharedObjects``.
  init(_ settings: Settings, pictures: Int, isInUse: Bool) async throws {
    if let address = settings.database {
      // Two connections are for writes, and one is for the rows.
      let connections = max(4, settings.databaseConnections)
      self.pictures = min(pictures, connections - 3)
      let database = try MemeDatabase.openAsGuest(
        address, migrations: Server.serverMigrations, connections: connections,
        statementTimeout: Self.statementTimeout)
      do {
        let blobs = try await SharedObjects.blobs(settings, of: database)
        (engine, archive) = (.shared(database), MemeArchive(database, blobs))
      } catch {
        database.close()
        throw error
      }
    } else {
      let path = settings.dataFolder
      try NoDatabase.check(path)
      self.pictures = pictures
      let isInUse = try isInUse && DataFolder.isInUse(at: path)
      let database = try MemeDatabase.openForReading(
        at: path, migrations: Server.migrations, readers: pictures + 1)
      (engine, archive) = (.file(database), MemeArchive(database, isInUse: isInUse))
    }
  }

  func close() {
    switch engine {
    case .file(let database): database.close()
    case .shared(let database): database.close()
    }
  }
}
