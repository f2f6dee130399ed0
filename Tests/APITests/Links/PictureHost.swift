import HTTP
import Memes
import Support
import Wire
import mememe

extension ScriptedServer.Reply {
  static func file(_ bytes: [UInt8], _ status: String = "200 OK") -> Self {
    let head = "HTTP/1.1 \(status)\r\nContent-Length: \(bytes.count)\r\n\r\n"
    return .sendBytes(Array(head.utf8) + bytes)
  }
}

/// Runs a server, and another one that has pictures and that the first one may ask.
func withPictureHost(
  _ reply: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply,
  _ change: @escaping (inout Settings) -> Void = { _ in },
  _ body: (TestServer, ScriptedServer, _ origin: String) async throws -> Void
) async throws {
  let host = try ScriptedServer(reply)
  defer { host.stop() }
  try await withServer({ settings in
    settings.pictureHosts = PictureHosts("127.0.0.1:\(host.port)") ?? .none
    settings.connectionsAllow = ["127.0.0.0/8"].compactMap { AddressRange($0) }
    change(&settings)
  }) { server in
    try await body(server, host, "http://127.0.0.1:\(host.port)")
  }
}
