import Eventually
import Foundation
import Support
import Testing

@testable import MemeMeClient

/// Which connections requests go by, and what may be written on them.
struct ConnectionTests {
  @Test func `a connection is kept for the next call, but not for what may not be made again`()
    async throws
  {
    try await withScript({ request in
      request.method == "PATCH"
        ? .send(ScriptedServer.problem(404, "not-found")) : .send(ScriptedServer.healthy)
    }) { server in
      let client = server.client()
      for _ in 0..<3 {
        try await client.checkHealth()
        _ = await failure { _ = try await client.preview(MemeDraft(.image(.data(noise(100_000))))) }
        _ = await failure { _ = try await client.edit(Meme.ID(), MemeEdit(top: "x")) }
      }
      let (edits, others) = (
        server.requests.filter { $0.method == "PATCH" },
        server.requests.filter { $0.method != "PATCH" }
      )
      #expect(edits.count == 3 && others.count == 6)
      #expect(Set(edits.map(\.connection)).count == 3)
      #expect(Set(others.map(\.connection)).count < 6)
    }
  }

  @Test func `calls that wait for others to end are not taken for ones that nobody answers`()
    async throws
  {
    try await withScript({ _ in
      usleep(150_000)
      return .send(ScriptedServer.healthy)
    }) { server in
      var client = server.client()
      client.silence = .seconds(1)
      try await withThrowingTaskGroup(of: Void.self) { [client] group in
        for _ in 0..<120 { group.addTask { try await client.checkHealth() } }
        try await group.waitForAll()
      }
      #expect(Set(server.requests.map(\.connection)).count <= 12)
    }
  }

  @Test func `a call that waits for its turn is cancelled like another`() async throws {
    try await withScript({ _ in .silence }) { server in
      let client = server.client()
      let others = (0..<12).map { _ in Task { try await client.checkHealth() } }
      try await eventually("twelve requests have come") { server.requests.count >= 12 }
      let last = Task { try await client.checkHealth() }
      try await Task.sleep(for: .milliseconds(50))
      last.cancel()
      #expect(await failure { try await last.value } == "cancelled")
      others[0].cancel()
      for other in others.dropFirst() { other.cancel() }
      for other in others { #expect(await failure { try await other.value } == "cancelled") }
      #expect(server.requests.count == 12)
    }
  }

  @Test(arguments: ["a\r\nX-Other: b", "a\nb", "a\rb", "a\u{0}b", "a\r\n\r\nGET / HTTP/1.1"])
  func `no field can be two`(secret: String) async throws {
    try await withScript({ _ in .send(ScriptedServer.healthy) }) { server in
      let client = server.client().authorized(by: Token(secret))
      let error = await #expect(throws: MemeMeError.self) { try await client.checkHealth() }
      #expect(error == .connection(.badURL))
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `an argument is one segment, whatever it is`() async throws {
    try await withScript({ _ in .send(ScriptedServer.problem(404, "not-found")) }) { server in
      for name in ["..", ".", "a/b", "a?b#c", "%2e%2e", "ü"] {
        _ = await failure { _ = try await server.client().profile(name) }
      }
      #expect(
        server.requests.map(\.target) == [
          "/users/..", "/users/.", "/users/a%2Fb", "/users/a%3Fb%23c", "/users/%252e%252e",
          "/users/%C3%BC",
        ])
    }
  }

  @Test(arguments: ["ftp", "file", "gopher", "smtp"])
  func `nothing but HTTP is spoken`(scheme: String) async throws {
    let url = try #require(URL(string: "\(scheme)://127.0.0.1/x"))
    let error = await #expect(throws: MemeMeError.self) {
      try await MemeMeClient(url).checkHealth()
    }
    #expect(error == .connection(.unsupportedURL))
  }

  @Test func `a program that uses the library says its name`() async throws {
    try await withScript({ _ in .send(ScriptedServer.healthy) }) { server in
      try await server.client().checkHealth()
      let name = try #require(server.requests.first?.headers["user-agent"])
      #expect(name.hasSuffix("(MemeMeClient)"))
    }
  }

  // In a process of its own, since others open files here.
  @Test func `of a client that is gone nothing is left`() async {
    await #expect(processExitsWith: .success) {
      func count(_ what: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count
      }
      try await withScript({ _ in .send(ScriptedServer.healthy) }) { server in
        try await server.client().checkHealth()
        try await Task.sleep(for: .milliseconds(500))
        server.endConnections()
        try await Task.sleep(for: .milliseconds(500))
        let before = (files: try count("fd"), threads: try count("task"))
        for _ in 0..<50 {
          try await server.client().checkHealth()
          let left = server.client()
          let cancelled = Task { try await left.checkHealth() }
          cancelled.cancel()
          _ = try? await cancelled.value
        }
        // The server's own connections end with the client's.
        try await eventually("files are closed and threads have ended") {
          try count("fd") <= before.files && count("task") <= before.threads + 4
        }
      }
    }
  }
}
