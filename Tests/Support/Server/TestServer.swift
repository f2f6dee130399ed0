package import API
package import Foundation
package import HTTP
package import Memes
package import Testing
package import Wire
package import mememe

/// A whole server in this process: real sockets, its own data folder, any free port.
package struct TestServer: Sendable {
  package let port: Int
  package let folder: URL
  package let adminToken: String
  /// Where metrics are served, where that is an address of their own.
  package let metricsURL: String?
  /// The routes that the server has.
  package let routes:
    [(
      method: Method, pattern: RoutePattern, query: Set<String>, takesKeys: Bool, limit: Limit?,
      access: Route.Access, takesItsTime: Bool
    )]

  /// Everything that the server logged so far.
  package var log: String {
    get throws { try String(contentsOf: folder.appending(path: "log"), encoding: .utf8) }
  }

  /// Sends one request on a connection of its own and holds the answer against the contract.
  package func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    let request = Array(head.utf8) + Array("Connection: close\r\n\r\n".utf8) + (body ?? [])
    let client = try connect()
    await client.send(request)
    let response = try await client.response(toHead: method == "HEAD")
    let violations = try ContractCheck.shared.get().violations(of: response, to: method, target)
    #expect(violations == [], sourceLocation: sourceLocation)
    return Answer(response)
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

  /// Uploads a picture with captions, and more fields.
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

  /// Sends a picture ahead of the memes that are made of it.
  package func sendAhead(
    _ picture: [UInt8], token: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(
      "POST", "/uploads", headers: Self.authorization(token) + headers, body: picture)
  }

  /// What the server counts, held against the format.
  package func metrics() async throws -> Exposition {
    try Exposition(parsing: try await get("/metrics").expect(200).response.text)
  }

  /// Waits until what the server counts is as a test needs it: a request is counted when its last byte is handed over,
  /// which its client may see before.
  package func metrics(where isEnough: (Exposition) -> Bool) async throws -> Exposition {
    var metrics = try await metrics()
    for _ in 0..<500 where !isEnough(metrics) {
      try await Task.sleep(for: .milliseconds(10))
      metrics = try await self.metrics()
    }
    return metrics
  }

  /// A connection to talk to the server byte by byte.
  package func connect() throws -> WireClient { try WireClient(port: UInt16(port)) }

  private static func authorization(_ token: String?) -> [(String, String)] {
    token.map { [("Authorization", "Bearer \($0)")] } ?? []
  }
}

/// Runs what blocks on a thread of its own: tests and server share the cooperative threads.
package func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    // A global queue has few more than there are cores, and waits long before it makes another one.
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Starts a server with a fresh data folder, and stops it and removes the folder at the end.
///
/// - Parameter now: the server's clock.
package func withServer(
  now: @escaping @Sendable () -> Timestamp = { .now() },
  _ change: (inout Settings) -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  try await withDataFolder { try await withServer(in: $0, now: now, change, body) }
}

/// Starts a server on a data folder that may have been used before, and stops it at the end.
package func withServer(
  in folder: URL, now: @escaping @Sendable () -> Timestamp = { .now() },
  _ change: (inout Settings) -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  await Slots.servers.enter()
  defer { Slots.servers.leave() }
  var settings = Settings()
  settings.port = 0
  settings.dataFolder = folder.path
  settings.adminToken = "an-admin-token-for-tests"
  settings.logLevel = .debug
  settings.limitsRates = false
  change(&settings)
  let log = open(folder.appending(path: "log").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(log) }
  let lines = Log(level: settings.logLevel, format: settings.logFormat, descriptor: log)
  // The descriptor is closed right after.
  defer { lines.flush() }
  let server = try await Server.start(settings, log: lines, now: now)
  do {
    try await body(
      TestServer(
        port: server.port, folder: folder, adminToken: settings.adminToken ?? "",
        metricsURL: server.metricsURL,
        routes: server.routes.map {
          ($0.method, $0.pattern, $0.query, $0.takesKeys, $0.limit, $0.access, $0.takesItsTime)
        }))
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}
