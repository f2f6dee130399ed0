import Eventually
import Foundation
package import Wire

/// A program that receives webhooks, and answers them as a test says.
package final class WebhookReceiver: Sendable {
  /// A request that it received.
  package struct Delivery: Sendable {
    package let headers: [String: String]
    package let body: [UInt8]
    package let json: JSON

    /// The ID of the event.
    package var id: String { headers["webhook-id"] ?? "" }

    package var type: String? { json.type.text }
  }

  private let server: ScriptedServer

  /// - Parameter script: gets the delivery and its number, from 0.
  package init(
    _ script: @escaping @Sendable (Delivery, Int) -> ScriptedServer.Reply = { _, _ in ok }
  ) throws {
    server = try ScriptedServer { request in
      script(Self.delivery(request), request.number)
    }
  }

  deinit { server.stop() }

  package static let ok = ScriptedServer.Reply.send("HTTP/1.1 204 No Content\r\n\r\n")

  package static func status(_ status: Int, _ fields: String = "") -> ScriptedServer.Reply {
    .send("HTTP/1.1 \(status) Answer\r\n\(fields)Content-Length: 0\r\n\r\n")
  }

  package var url: String { "http://127.0.0.1:\(server.port)/hook" }

  package var deliveries: [Delivery] { server.requests.map(Self.delivery) }

  package var count: Int { server.requests.count }

  /// The number of TCP connections that were used.
  package var connections: Int { Set(server.requests.map(\.connection)).count }

  /// The first deliveries, once there are so many.
  package func first(_ count: Int) async throws -> [Delivery] {
    try await eventually("\(count) deliveries arrive") { self.count >= count }
    return Array(deliveries.prefix(count))
  }

  private static func delivery(_ request: ScriptedServer.Request) -> Delivery {
    Delivery(
      headers: request.headers, body: request.body,
      json: (try? JSON(parsing: request.body)) ?? .null)
  }
}
