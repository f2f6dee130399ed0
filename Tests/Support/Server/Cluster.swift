import Foundation
import Objects
import PostgreSQL
import SQL
import Storage
import Synchronization
import Wire
import mememe

/// Two servers with one PostgreSQL database, in the place of one server, if `TEST_SERVERS` is `2`. Each request
/// goes to another server than the one before it. With `TEST_OBJECTS`, pictures are in an object store.
///
/// The servers keep no answers: a caller without credentials may see an answer from before a change that another server
/// has just made, which tests do not expect.
package enum Cluster {
  package static let isTested = ProcessInfo.processInfo.environment["TEST_SERVERS"] == "2"

  private static let hasObjects =
    ProcessInfo.processInfo.environment["TEST_OBJECTS"] != nil

  private static let template = Mutex<String?>(nil)

  /// Runs `body` with the settings of the servers, on a migrated database of its own.
  static func withDatabase(
    _ settings: Settings, in folder: URL, _ body: ([Settings]) async throws -> Void
  ) async throws {
    let server = try PostgreSQLServer.shared()
    let name = try server.makeDatabase(from: try template(on: server))
    let key = folder.appending(path: "key")
    try Data(repeating: 7, count: 32).write(to: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    let outbox = folder.appending(path: "outbox")
    try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
    let objects =
      hasObjects
      ? try S3Address(RcloneServer.shared().address(of: RcloneServer.shared().makeBucket().name))
      : nil
    let all = try (0..<2).map { number in
      var settings = settings
      settings.dataFolder = folder.appending(path: "\(number)").path
      try FileManager.default.createDirectory(
        atPath: settings.dataFolder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(settings.dataFolder)/outbox", withDestinationPath: outbox.path)
      settings.database = try ServerAddress(server.address(of: name))
      settings.databaseConnections = 4
      (settings.secretKeyFile, settings.serverName) = (key.path, "\(number)")
      settings.memoryCacheBytes = 0
      (settings.objects, settings.awsAccount) = (objects, RcloneServer.account)
      return settings
    }
    try await body(all)
    try server.drop(name)
  }

  private static func template(on server: PostgreSQLServer) throws -> String {
    try template.withLock { known in
      if let known { return known }
      let name = try server.makeDatabase()
      try MemeDatabase.open(
        ServerAddress(server.address(of: name)),
        migrations: Assets.serverMigrations.map { Migration(name: $0.name, sql: $0.sql) },
        connections: 1
      ).close()
      known = name
      return name
    }
  }
}

/// Sends each request to another server than the one before.
final class AlternatingTransport: TestTransport {
  let servers: [any TestTransport]
  private let count = Atomic<Int>(0)

  init(_ servers: [any TestTransport]) { self.servers = servers }

  func send(
    _ method: String, _ target: String, headers: [(String, String)], body: [UInt8]?
  ) async throws -> WireResponse {
    let number = count.add(1, ordering: .relaxed).oldValue
    return try await servers[number % servers.count].send(
      method, target, headers: headers, body: body)
  }
}
