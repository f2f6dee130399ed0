import Foundation
import PostgreSQL
import Storage

/// Keeps servers from the stored data while a command changes it.
enum ExclusiveAccess {
  case folder(DataFolder)
  case shared(MigrationLock)

  /// - Throws: ``ServersRunning`` or an error of the folder if a server uses the data.
  init(_ settings: Settings) async throws {
    guard let address = settings.database else {
      let path = settings.dataFolder
      try NoDatabase.check(path)
      self = .folder(try DataFolder(path: path))
      return
    }
    // A server that starts from now on waits for the lock.
    let lock = try MigrationLock(address)
    let database = try Server.connect(address, connections: 1)
    defer { database.close() }
    let names = try await ServerStore(database).running()
    guard names.isEmpty else { throw ServersRunning(names: names) }
    self = .shared(lock)
  }
}

/// The error for a command that needs the database for itself, while servers use it.
struct ServersRunning: Error, CustomStringConvertible {
  let names: [String]

  var description: String {
    """
    servers use the database: \(names.joined(separator: ", ")). Stop them first; a server that was killed counts \
    for 30 seconds
    """
  }
}
