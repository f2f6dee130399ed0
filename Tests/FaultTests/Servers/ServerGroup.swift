import Eventually
import Foundation
import Support
import Synchronization
import Wire

/// Servers that share a database, and nginx in front of them. At any moment, one of them may be dead or stopped.
final class ServerGroup: Sendable {
  /// How long a client waits for a response before it asks another server.
  private static let patienceSeconds = 2

  private let folder: URL
  private let settings: [String: String]
  private let executable: URL?
  private let ports: [Int]
  private let running: Mutex<[ServerProcess]>
  /// `nil` if it is not installed.
  let nginx: NginxServer?

  static let adminToken = "an-admin-token-for-torture"

  /// What servers need to share a database. Creates their secret key in the folder.
  static func settings(_ database: String, in folder: URL) throws -> [String: String] {
    let key = folder.appending(path: "key")
    try Data(repeating: 7, count: 32).write(to: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    return [
      "MEMEME_DATABASE": database, "MEMEME_SECRET_KEY_FILE": key.path,
      "MEMEME_ADMIN_TOKEN": adminToken, "MEMEME_SMTP_URL": "smtp://127.0.0.1:1",
      "MEMEME_MAIL_FROM": "memes@example.org", "MEMEME_TRUSTED_PROXIES": "127.0.0.1",
      "MALLOC_ARENA_MAX": "2",
    ]
  }

  /// Starts all servers at once, on a database that no server has migrated yet.
  init(
    _ count: Int, in folder: URL, settings: [String: String], executable: URL?
  ) async throws {
    (self.folder, self.settings, self.executable) = (folder, settings, executable)
    let ports = try (0..<count).map { _ in try KillableProgram.freePort() }
    let servers = try ports.enumerated().map { number, port in
      try ServerProcess(
        launching: folder.appending(path: "\(number)"), port: port, settings: settings,
        executable: executable)
    }
    self.ports = ports
    running = Mutex(servers)
    nginx = NginxServer.isInstalled ? try NginxServer(servers: ports, in: folder) : nil
    for server in servers { try await server.ready() }
  }

  var all: [ServerProcess] { running.withLock(\.self) }

  /// Connects to nginx or to a server, each of which may be one that does not respond.
  func connect(_ random: inout SeededRandom) throws -> Connection {
    let isProxied = nginx != nil && random.chance(0.5)
    guard let port = isProxied ? nginx?.port : all.randomElement(using: &random)?.port else {
      throw WireClient.Failure(what: "no server")
    }
    return Connection(
      client: try WireClient(port: UInt16(clamping: port), seconds: Self.patienceSeconds),
      isProxied: isProxied)
  }

  struct Connection {
    let client: WireClient
    /// Whether nginx repeats requests that are idempotent.
    let isProxied: Bool
  }

  /// Starts a server that has ended again, with its data folder and on its port.
  func restart(_ number: Int) async throws {
    let server = try await ServerProcess(
      data: folder.appending(path: "\(number)"), port: ports[number], settings: settings,
      executable: executable)
    running.withLock { $0[number] = server }
  }

  /// Waits until all servers are ready, none works on a request of a client that has left, and nginx passes on
  /// requests to them again.
  func settle() async throws {
    for server in all {
      _ = try await server.readiness(becoming: 200)
      try await eventually("a server has finished its requests") {
        // The request for this number is one of them.
        try await server.get("/metrics").response.text
          .contains("mememe_http_requests_in_flight 1\n")
      }
    }
    guard let nginx else { return }
    try await eventually("nginx passes on requests again") {
      try await WireClient(port: UInt16(clamping: nginx.port), seconds: Self.patienceSeconds)
        .ask("GET", "/healthz").status == 200
    }
  }
}
