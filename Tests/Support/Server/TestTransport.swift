import Wire

/// Carries the requests of tests to a server.
protocol TestTransport: Sendable {
  /// Sends one request and waits for its response.
  func send(
    _ method: String, _ target: String, headers: [(String, String)], body: [UInt8]?
  ) async throws -> WireResponse
}

/// The reason why a test cannot send a request.
package struct TransportFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Sends each request on a new connection.
struct LiveTransport: TestTransport {
  let port: Int

  func connect() throws -> WireClient { try WireClient(port: UInt16(clamping: port)) }

  func send(
    _ method: String, _ target: String, headers: [(String, String)], body: [UInt8]?
  ) async throws -> WireResponse {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    let request = Array(head.utf8) + Array("Connection: close\r\n\r\n".utf8) + (body ?? [])
    let client = try connect()
    await client.send(request)
    return try await client.response(toHead: method == "HEAD")
  }
}
