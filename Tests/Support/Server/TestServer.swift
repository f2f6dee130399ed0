package import API
import Eventually
package import Foundation
package import HTTP
package import Memes
import PostgreSQL
import SQL
import SQLite
package import Testing
package import Wire
package import mememe

/// A whole server in this process, with its own data folder.
package struct TestServer: Sendable {
  /// How requests reach the server.
  fileprivate enum Reach {
    case inProcess
    /// On any free port.
    case live
  }

  private let transport: any TestTransport
  private let lines: Log
  /// The port in the server's own URLs; 0 in process.
  package let port: Int
  package let folder: URL
  package let adminToken: String
  /// The flags that name the database to a command, besides the data folder.
  package let databaseFlags: [String]
  /// The URL of the metrics, if they have their own.
  package let metricsURL: String?
  /// The routes of the server.
  package let routes:
    [(
      method: Method, pattern: RoutePattern, query: Set<String>, takesKeys: Bool, limit: Limit?,
      access: Route.Access, isLongRunning: Bool
    )]

  /// Everything that the server has logged so far.
  package var log: String {
    get throws {
      // A separate thread writes the lines.
      lines.flush()
      return try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
    }
  }

  /// Sends one request and checks the response against the contract.
  package func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    let response = try await sendUnchecked(method, target, headers: headers, body: body)
    let violations = try ContractCheck.shared.get().violations(of: response, to: method, target)
    #expect(violations == [], sourceLocation: sourceLocation)
    return Answer(response)
  }

  /// Sends one request without checking the response against the contract.
  func sendUnchecked(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
  ) async throws -> WireResponse {
    try await transport.send(method, target, headers: headers, body: body)
  }

  package func get(_ target: String, token: String? = nil) async throws -> Answer {
    try await send("GET", target, headers: Self.authorization(token))
  }

  package func delete(_ target: String, token: String? = nil) async throws -> Answer {
    try await send("DELETE", target, headers: Self.authorization(token))
  }

  package func restore(_ target: String, token: String? = nil) async throws -> Answer {
    try await send("POST", "\(target)/restore", headers: Self.authorization(token))
  }

  /// Sends an edit as JSON.
  package func patch(
    _ target: String, _ json: String, token: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(
      "PATCH", target,
      headers: Self.authorization(token) + headers + [("Content-Type", "application/json")],
      body: Array(json.utf8))
  }

  /// Sends an edit as a form.
  package func patch(
    _ target: String, _ form: FormBody, token: String? = nil
  ) async throws -> Answer {
    try await send(
      "PATCH", target, headers: Self.authorization(token) + [("Content-Type", form.contentType)],
      body: form.bytes)
  }

  /// Sends a form.
  package func post(
    to target: String = "/memes", _ parts: [FormBody.Part], token: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    try await post(to: target, FormBody(parts), token: token, headers: headers)
  }

  package func post(
    to target: String = "/memes", _ form: FormBody, token: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(
      "POST", target,
      headers: Self.authorization(token) + headers + [("Content-Type", form.contentType)],
      body: form.bytes)
  }

  /// Uploads a picture with captions and other fields.
  package func upload(
    _ picture: Fixture = .photo, top: String? = nil, bottom: String? = nil,
    _ fields: [String: String] = [:], headers: [(String, String)] = []
  ) async throws -> Answer {
    var parts: [FormBody.Part] = [.file("image", try picture.bytes)]
    if let top { parts.append(.field("top", top)) }
    if let bottom { parts.append(.field("bottom", bottom)) }
    parts += fields.sorted { $0.key < $1.key }.map { .field($0.key, $0.value) }
    return try await post(parts, headers: headers)
  }

  /// Uploads a picture ahead of the memes that are made of it.
  package func sendAhead(
    _ picture: [UInt8], token: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(
      "POST", "/uploads", headers: Self.authorization(token) + headers, body: picture)
  }

  /// The metrics of the server, checked against the format.
  package func metrics() async throws -> Exposition {
    try Exposition(parsing: try await get("/metrics").expect(200).response.text)
  }

  /// Waits until the metrics are as a test needs them. A request is counted when its last byte is handed over. Its
  /// client may see that byte earlier.
  package func metrics(where isEnough: (Exposition) -> Bool) async throws -> Exposition {
    var metrics = try await metrics()
    guard !isEnough(metrics) else { return metrics }
    try await eventually("the metrics are as expected") {
      metrics = try await self.metrics()
      return isEnough(metrics)
    }
    return metrics
  }

  /// Opens a connection for talking to the server byte by byte.
  package func connect() throws -> WireClient {
    let first = (transport as? AlternatingTransport)?.servers.first ?? transport
    guard let live = first as? LiveTransport else {
      throw TransportFailure(description: "this test needs withLiveServer")
    }
    return try live.connect()
  }

  fileprivate init(
    _ server: Server, and others: [Server] = [], _ reach: Reach, _ settings: Settings,
    _ folder: URL, _ lines: Log
  ) {
    (port, metricsURL) = (server.port, server.metricsURL)
    (self.folder, adminToken) = (folder, settings.adminToken ?? "")
    databaseFlags = settings.database.map { ["--database", $0.uri] } ?? []
    self.lines = lines
    routes = server.routes.map {
      ($0.method, $0.pattern, $0.query, $0.takesKeys, $0.limit, $0.access, $0.isLongRunning)
    }
    let transports = ([server] + others).map { server -> any TestTransport in
      switch reach {
      case .live: LiveTransport(port: server.port)
      case .inProcess:
        InProcessTransport(
          service: server.service, proxies: settings.trustedProxies, port: server.port)
      }
    }
    transport = others.isEmpty ? transports[0] : AlternatingTransport(transports)
  }

  private static func authorization(_ token: String?) -> [(String, String)] {
    token.map { [("Authorization", "Bearer \($0)")] } ?? []
  }
}

/// Runs a blocking closure on its own thread, because tests and server share the cooperative threads.
package func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    // A global queue has few more threads than there are cores, and waits long before it creates another one.
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Starts a server with a fresh data folder and without a socket. Stops the server and removes the folder at the end.
///
/// - Parameter now: the server's clock.
/// - Parameter ticks: the clock of the limits.
package func withServer(
  now: @escaping @Sendable () -> Timestamp = { .now() },
  ticks: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
  _ change: (inout Settings) throws -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  try await withMigratedFolder {
    try await serve(.inProcess, in: $0, isFresh: true, now: now, ticks: ticks, change, body)
  }
}

/// Starts a server without a socket, on a data folder that may have been used before. Stops the server at the end.
package func withServer(
  in folder: URL, now: @escaping @Sendable () -> Timestamp = { .now() },
  _ change: (inout Settings) throws -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  try await serve(.inProcess, in: folder, now: now, change, body)
}

/// Like ``withServer(now:ticks:_:_:)``, with a server that listens. For framing, deadlines, TLS, streams and the drain.
package func withLiveServer(
  now: @escaping @Sendable () -> Timestamp = { .now() },
  _ change: (inout Settings) throws -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  try await withMigratedFolder {
    try await serve(.live, in: $0, isFresh: true, now: now, change, body)
  }
}

/// Like ``withServer(in:now:_:_:)``, with a server that listens.
package func withLiveServer(
  in folder: URL, now: @escaping @Sendable () -> Timestamp = { .now() },
  _ change: (inout Settings) throws -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  try await serve(.live, in: folder, now: now, change, body)
}

/// Starts one server for all tests of a suite. The tests must not affect each other: they only read, or their requests
/// are rejected.
package struct SharedServer: SuiteTrait, TestScoping {
  @TaskLocal fileprivate static var running: TestServer?

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing tests: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Without a slot, because tests inside of it may wait for their own slots.
    try await withMigratedFolder { folder in
      try await start(.inProcess, in: folder, isFresh: true, now: { .now() }, { _ in }) { server in
        try await Self.$running.withValue(server) { try await tests() }
      }
    }
  }
}

extension Trait where Self == SharedServer {
  package static var sharedServer: SharedServer { SharedServer() }
}

/// Uses the server that the suite's trait ``SharedServer`` started.
package func withSharedServer(_ body: (TestServer) async throws -> Void) async throws {
  try await body(try #require(SharedServer.running))
}

private func withMigratedFolder(_ body: (URL) async throws -> Void) async throws {
  try await withDataFolder { folder in
    try await MigratedFolder.place(in: folder)
    try await body(folder)
  }
}

private func serve(
  _ reach: TestServer.Reach, in folder: URL, isFresh: Bool = false,
  now: @escaping @Sendable () -> Timestamp,
  ticks: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
  _ change: (inout Settings) throws -> Void, _ body: (TestServer) async throws -> Void
) async throws {
  await Slots.servers.enter()
  defer { Slots.servers.leave() }
  try await start(reach, in: folder, isFresh: isFresh, now: now, ticks: ticks, change, body)
}

private func start(
  _ reach: TestServer.Reach, in folder: URL, isFresh: Bool = false,
  now: @escaping @Sendable () -> Timestamp,
  ticks: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
  _ change: (inout Settings) throws -> Void, _ body: (TestServer) async throws -> Void
) async throws {
  var settings = Settings()
  settings.port = 0
  settings.dataFolder = folder.path
  settings.adminToken = "an-admin-token-for-tests"
  settings.logLevel = .debug
  settings.limitsRates = false
  settings.anonymousTemplates = true
  settings.starterTemplates = false
  try change(&settings)
  let log = open(folder.appending(path: "log").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(log) }
  let lines = Log(level: settings.logLevel, format: settings.logFormat, descriptor: log)
  // The descriptor is closed right after this.
  defer { lines.flush() }
  var options = StartOptions()
  options.listens = reach == .live
  options.synchronous = .off
  options.ticks = ticks
  if let pool = SharedRenderPool.pool(for: settings) { options.drawing = .pool(pool) }
  guard Cluster.isTested, isFresh else {
    return try await run([settings]) { servers in
      try await body(TestServer(servers[0], reach, settings, folder, lines))
    }
  }
  try await Cluster.withDatabase(settings, in: folder) { all in
    try await run(all) { servers in
      try await body(TestServer(servers[0], and: [servers[1]], reach, all[0], folder, lines))
    }
  }

  func run(_ all: [Settings], _ body: ([Server]) async throws -> Void) async throws {
    var servers: [Server] = []
    do {
      for settings in all {
        servers.append(
          try await Server.start(settings, log: lines, now: now, options: options))
      }
      try await body(servers)
    } catch {
      for server in servers { await server.stop() }
      throw error
    }
    for server in servers { await server.stop() }
  }
}
