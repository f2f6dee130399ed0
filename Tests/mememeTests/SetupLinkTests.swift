import Eventually
import Foundation
import Support
import Testing
import Wire

/// The link in the log of a server without an admin.
struct SetupLinkTests {
  private func code(of server: ServerProcess) -> String? {
    server.log.firstMatch(of: /\/app\/join#([A-Za-z0-9_-]{22})/).map { String($0.1) }
  }

  private func join(
    _ name: String, _ code: String, _ server: ServerProcess
  ) async throws -> Answer {
    let json =
      #"{"username":"\#(name)","email":"\#(name)@example.org","password":"a cat on a keyboard","invitation":"\#(code)"}"#
    let head =
      "POST /users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
    return try await server.send(Array((head + json).utf8))
  }

  @Test func `every start without an admin logs a link, and the first one used is the last`()
    async throws
  {
    try await withDataFolder { folder in
      let closed = ["MEMEME_REGISTRATION": "closed"]
      var server = try await ServerProcess(data: folder, settings: closed)
      let first = try #require(try await linked(server))
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      server = try await ServerProcess(data: folder, settings: closed)
      let second = try #require(try await linked(server))
      #expect(first != second)
      try await join("eve", String(first.reversed()), server)
        .expect(403, problem: "registration-closed")
      // The earlier link is as valid as the new one.
      #expect(try await join("ada", first, server).expect(201).json.role.text == "admin")
      try await join("eve", first, server).expect(403, problem: "registration-closed")
      try await join("eve", second, server).expect(403, problem: "registration-closed")
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      try await join("eve", second, server).expect(422, problem: "invitation-invalid")
      #expect(try await server.end(by: SIGTERM) == 0)
      #expect(code(of: server) == nil)
    }
  }

  @Test func `a link is no longer valid once a command created an admin`() async throws {
    try await withDataFolder { folder in
      let server = try await ServerProcess(data: folder)
      let link = try #require(try await linked(server))
      let made = try await ServerProcess.run(
        ["user", "create", "ada", "--email=ada@example.org", "--admin", "--data", folder.path],
        input: "\(TestServer.password)\n")
      #expect(made.code == 0, "\(made.output)")
      try await join("eve", link, server).expect(422, problem: "invitation-invalid")
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  /// The code of the link, which the server logs as soon as it is ready.
  private func linked(_ server: ServerProcess) async throws -> String? {
    try await eventually("the link is logged") { code(of: server) != nil }
    return code(of: server)
  }
}
