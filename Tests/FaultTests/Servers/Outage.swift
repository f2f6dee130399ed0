import Foundation
import Support
import Wire

/// What happens to the servers of a database, to nginx, to the database, or to the object store, while clients write.
enum Outage: Sendable {
  /// `kill -9`, and a new start after this time.
  case serverKilled(Int, milliseconds: Int)
  /// The end of all processes of PostgreSQL, and a new start after this time.
  case databaseKilled(milliseconds: Int)
  /// A server does nothing for three seconds, and then goes on with what it had begun.
  case serverFrozen(Int)
  /// `kill -9` of nginx, and a new start after this time.
  case nginxKilled(milliseconds: Int)
  /// `kill -9` of the object store, and a new start after this time.
  case objectsKilled(milliseconds: Int)
  /// The object store does nothing for three seconds, and then goes on.
  case objectsFrozen

  init(_ random: inout SeededRandom, servers: Int, hasObjects: Bool) {
    let number = Int.random(in: 0..<servers, using: &random)
    self =
      switch Int.random(in: 0..<(hasObjects ? 6 : 4), using: &random) {
      case 0: .serverKilled(number, milliseconds: .random(in: 0..<800, using: &random))
      case 1: .databaseKilled(milliseconds: .random(in: 0..<1500, using: &random))
      case 2: .serverFrozen(number)
      case 3: .nginxKilled(milliseconds: .random(in: 0..<800, using: &random))
      case 4: .objectsKilled(milliseconds: .random(in: 0..<800, using: &random))
      default: .objectsFrozen
      }
  }

  func happen(
    to servers: ServerGroup, _ database: PostgreSQLServer, _ objects: SeaweedServer?
  ) async throws {
    switch self {
    case .serverKilled(let number, let milliseconds):
      let code = try await servers.all[number].end(by: SIGKILL)
      guard code == SIGKILL else {
        throw WireClient.Failure(what: servers.all[number].log)
      }
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await servers.restart(number)
    case .databaseKilled(let milliseconds):
      try await blocking { try database.kill() }
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await blocking { try database.start() }
    case .serverFrozen(let number):
      let server = servers.all[number]
      server.send(signal: SIGSTOP)
      try await Task.sleep(for: .seconds(3))
      server.send(signal: SIGCONT)
    case .nginxKilled(let milliseconds):
      try await restart(servers.nginx?.program, after: milliseconds)
    case .objectsKilled(let milliseconds):
      try await restart(objects?.program, after: milliseconds)
    case .objectsFrozen:
      try await blocking { try objects?.program.freeze() }
      try await Task.sleep(for: .seconds(3))
      try await blocking { try objects?.program.thaw() }
    }
  }

  private func restart(_ program: KillableProgram?, after milliseconds: Int) async throws {
    try await blocking { try program?.kill() }
    try await Task.sleep(for: .milliseconds(milliseconds))
    try await blocking { try program?.start() }
  }
}
