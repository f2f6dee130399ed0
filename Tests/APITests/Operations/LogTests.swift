import Eventually
import Foundation
import Support
import Testing
import Wire
import mememe

struct LogTests {
  /// The log lines about requests, once there are at least `count`.
  private func requests(_ count: Int, in server: TestServer) async throws -> [JSON] {
    var lines: [JSON] = []
    try await eventually("\(count) requests are logged") {
      lines = try parsedLines(of: server).filter { $0.message.text == "request" }
      return lines.count >= count
    }
    return lines
  }

  /// Every complete log line. Throws if one is not JSON.
  private func parsedLines(of server: TestServer) throws -> [JSON] {
    let log = try server.log
    let whole = log.prefix(log.hasSuffix("\n") ? log.count : 0)
    return try whole.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
  }

  @Test func `each request has one JSON log line with the documented members`() async throws {
    try await withServer({ $0.logFormat = .json }) { server in
      let answer = try await server.send(
        "GET", "/memes?limit=7", headers: [("X-Request-Id", "looked-for")])
      try await server.get("/nothing").expect(404)
      let lines = try await requests(2, in: server)
      let line = try #require(lines.first { $0.id.text == "looked-for" })
      #expect(
        line.keys == [
          "time", "level", "message", "id", "peer", "method", "route", "target", "status", "bytes",
          "milliseconds", "outcome",
        ])
      #expect(line.level.text == "info")
      #expect(line.peer.text == "127.0.0.1")
      #expect(line.method.text == "GET")
      #expect(line.route.text == "/memes")
      #expect(line.target.text == "/memes?limit=7")
      #expect(line.status.int == 200)
      #expect(line.bytes.int == answer.response.body.count)
      #expect(line.outcome.text == "answered")
      let unmatched = try #require(lines.first { $0.status.int == 404 })
      #expect(unmatched.route.text == "unmatched")
    }
  }

  @Test(arguments: LogFormat.allCases)
  func `no log line has a secret, wherever the client put it`(format: LogFormat) async throws {
    try await withServer({ $0.logFormat = format }) { server in
      let canary = "canary-0123456789"
      let url = try #require(try await server.upload(top: canary).expect(201)["location"])
      let created = try await server.upload(bottom: canary).expect(201)
      let deleteToken = try #require(created["meme-delete-token"])
      try await server.delete(url, token: canary).expect(401)
      try await server.get("/memes?token=\(canary)").expect(422)
      try await server.get("/memes?\(canary)").expect(422)
      try await server.get("/memes?limit=1&x=\(canary)&\(canary)=1").expect(422)
      try await server.get("/nothing?limit=\(canary)").expect(404)
      try await server.get("/healthz?\(canary)").expect(422)
      try await server.get("http://user:\(canary)@localhost/memes?a=\(canary)").expect(422)
      _ = try await server.send(
        "GET", "/memes", headers: [("Cookie", canary), ("X-Api-Key", canary)])
      try await server.delete(
        try #require(created["location"]), token: deleteToken
      ).expect(204)
      var log = ""
      let last = format == .json ? "\"status\":204" : "status=204"
      try await eventually("the last request is logged") {
        log = try server.log
        return log.contains(last)
      }
      for secret in [canary, deleteToken, server.adminToken] { #expect(!log.contains(secret)) }
      #expect(log.contains("/memes?limit=1&*&*"))
      #expect(log.contains("http://*@localhost/memes?*"))
    }
  }

  @Test(arguments: LogFormat.allCases)
  func `client input cannot forge or break log lines`(format: LogFormat) async throws {
    try await withLiveServer({ $0.logFormat = format }) { server in
      let long = String(repeating: "\u{1}", count: 1500)
      for target in ["/\u{1B}[2J\u{7F}", "/\(long)", "/\u{202E}\u{85}é", "/\"\\,=\" level=error"] {
        let client = try server.connect()
        await client.send("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        _ = await client.everything()
      }
      // The combining marks form a single character with their base.
      for rest in ["M", "\u{301}"] {
        let client = try server.connect()
        let method = "M" + String(repeating: rest, count: 3000)
        await client.send("\(method) /memes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        _ = await client.everything()
      }
      try await server.get("/healthz").expect(200)
      // A request is logged when it has ended, which its client may see earlier.
      let awaited = ["status=501", "\"status\":501", "/healthz"]
      var lines: [Substring] = []
      try await eventually("both requests are logged") {
        lines = try server.log.split(separator: "\n").filter { $0.contains("request") }
        return awaited.filter { word in lines.contains { $0.contains(word) } }.count >= 2
      }
      #expect(lines.contains { $0.contains("/healthz") })
      for line in lines {
        #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        if format == .json { #expect((try? JSON(parsing: Array(line.utf8))) != nil) }
      }
      #expect(lines.filter { $0.contains(" level=error ") }.isEmpty)
    }
  }
}
