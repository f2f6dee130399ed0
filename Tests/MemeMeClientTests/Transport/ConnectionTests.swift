import Eventually
import Foundation
import Support
import Testing
import Wire

@testable import MemeMeClient

/// The use of connections, and the validation of requests.
struct ConnectionTests {
  @Test func `a connection is reused, except by calls that must not be repeated`() async throws {
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

  @Test func `a deadline does not count the wait of a long poll`() async throws {
    try await withScript({ _ in
      usleep(600_000)
      return LibraryScript.page()
    }) { server in
      let client = server.client().within(.milliseconds(100))
      let page = try await client.changes(wait: .seconds(30))
      #expect(page.changes.isEmpty)
      await #expect(throws: MemeMeError.timeout) { try await client.changes() }
    }
  }

  @Test func `calls that wait for a connection do not time out`() async throws {
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

  @Test func `a call that waits for a connection can be canceled`() async throws {
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
  func `a token cannot inject header fields`(secret: String) async throws {
    try await withScript({ _ in .send(ScriptedServer.healthy) }) { server in
      let client = server.client().authorized(by: Token(secret))
      let error = await #expect(throws: MemeMeError.self) { try await client.checkHealth() }
      #expect(error == .connection(.badURL))
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `an argument is always one path segment`() async throws {
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
  func `only HTTP and HTTPS URLs are accepted`(scheme: String) async throws {
    let url = try #require(URL(string: "\(scheme)://127.0.0.1/x"))
    let error = await #expect(throws: MemeMeError.self) {
      try await MemeMeClient(url).checkHealth()
    }
    #expect(error == .connection(.unsupportedURL))
  }

  @Test func `the User-Agent names the program and the library`() async throws {
    try await withScript({ _ in .send(ScriptedServer.healthy) }) { server in
      try await server.client().checkHealth()
      let name = try #require(server.requests.first?.headers["user-agent"])
      #expect(name.hasSuffix("(MemeMeClient)"))
    }
  }

  // Runs in a separate process, because other tests open files in this one.
  @Test func `a released client leaves no open files or threads`() async {
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
        // The server's connections end with the client's.
        try await eventually("files are closed and threads have ended") {
          try count("fd") <= before.files && count("task") <= before.threads + 4
        }
      }
    }
  }
}
