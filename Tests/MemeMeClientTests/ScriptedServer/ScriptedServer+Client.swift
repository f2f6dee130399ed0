import Foundation
import MemeMeClient
import Wire

extension ScriptedServer {
  /// A response with a body.
  static func answer(
    _ status: String, _ body: String = "", type: String = "application/json",
    headers: [String] = []
  ) -> String {
    let fields = headers + ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"]
    return "HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body)"
  }

  static func problem(_ status: Int, _ code: String, headers: [String] = []) -> String {
    answer(
      "\(status) Problem",
      #"{"type":"/problems/\#(code)","title":"T","status":\#(status),"detail":"D","instance":"12345678","code":"\#(code)"}"#,
      type: "application/problem+json", headers: headers)
  }

  static let healthy = answer("200 OK", #"{"status":"ok"}"#)

  func client(retries: RetryPolicy = .never) -> MemeMeClient {
    MemeMeClient(
      URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/"), token: Token("a-secret"),
      retries: retries)
  }
}

/// Starts a scripted server for `body`, and stops it at the end.
func withScript(
  cuts: @escaping @Sendable (Int) -> Int? = { _ in nil }, discardsBodies: Bool = false,
  _ script: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply,
  _ body: (ScriptedServer) async throws -> Void
) async throws {
  let server = try ScriptedServer(cuts: cuts, discardsBodies: discardsBodies, script)
  defer { server.stop() }
  try await body(server)
}
