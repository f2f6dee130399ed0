import Eventually
import Foundation
import Support
import Synchronization
import Wire

/// Servers that share a database. At any moment, one of them may be dead or stopped.
final class ServerGroup: Sendable {
  /// How long a client waits for a response before it asks another server.
  private static let patienceSeconds = 2

  private let folder: URL
  private let settings: [String: String]
  private let executable: URL?
  private let running: Mutex<[ServerProcess]>

  static let adminToken = "an-admin-token-for-torture"

  /// What servers need to share a database. Creates their secret key in the folder.
  static func settings(_ database: String, in folder: URL) throws -> [String: String] {
    let key = folder.appending(path: "key")
    try Data(repeating: 7, count: 32).write(to: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    return [
      "MEMEME_DATABASE": database, "MEMEME_SECRET_KEY_FILE": key.path,
      "MEMEME_ADMIN_TOKEN": adminToken, "MEMEME_SMTP_URL": "smtp://127.0.0.1:1",
      "MEMEME_MAIL_FROM": "memes@example.org", "MALLOC_ARENA_MAX": "2",
    ]
  }

  /// Starts all servers at once, on a database that no server has migrated yet.
  init(
    _ count: Int, in folder: URL, settings: [String: String], executable: URL?
  ) async throws {
    (self.folder, self.settings, self.executable) = (folder, settings, executable)
    let servers = try (0..<count).map { number in
      try ServerProcess(
        launching: folder.appending(path: "\(number)"), settings: settings, executable: executable)
    }
    running = Mutex(servers)
    for server in servers { try await server.ready() }
  }

  var all: [ServerProcess] { running.withLock(\.self) }

  /// Connects to a server, which may be one that does not respond.
  func connect(_ random: inout SeededRandom) throws -> WireClient {
    guard let server = all.randomElement(using: &random) else {
      throw WireClient.Failure(what: "no server")
    }
    return try WireClient(port: UInt16(clamping: server.port), seconds: Self.patienceSeconds)
  }

  /// Starts a server that has ended again, with its data folder and on another port.
  func restart(_ number: Int) async throws {
    let server = try await ServerProcess(
      data: folder.appending(path: "\(number)"), settings: settings, executable: executable)
    running.withLock { $0[number] = server }
  }

  /// Waits until all servers are ready, and none works on a request of a client that has left.
  func settle() async throws {
    for server in all {
      _ = try await server.readiness(becoming: 200)
      try await eventually("a server has finished its requests") {
        // The request for this number is one of them.
        try await server.get("/metrics").response.text
          .contains("mememe_http_requests_in_flight 1\n")
      }
    }
  }
}
