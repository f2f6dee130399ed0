import Foundation
import Support
import Testing
import Wire

/// Durability of accounts and sessions if the server is killed.
struct PeopleProcessTests {
  private func send(
    _ server: ServerProcess, _ method: String, _ target: String, _ json: String? = nil,
    token: String? = nil
  ) async throws -> Answer {
    let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let content = json.map {
      "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n"
    }
    let head =
      "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(authorization)\(content ?? "")\r\n"
    return try await server.send(Array((head + (json ?? "")).utf8))
  }

  @Test func `accounts, sessions and their deletions survive kill -9`() async throws {
    try await withDataFolder { folder in
      let person =
        #"{"username":"ada","email":"ada@example.org","password":"a cat on a keyboard"}"#
      let login = #"{"username":"ada","password":"a cat on a keyboard"}"#
      var server = try await ServerProcess(data: folder)
      try await send(server, "POST", "/users", person).expect(201)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      let kept = try #require(
        try await send(server, "POST", "/sessions", login).expect(201).json.token.text)
      let ended = try #require(
        try await send(server, "POST", "/sessions", login).expect(201).json.token.text)
      try await send(server, "DELETE", "/sessions/current", token: ended).expect(204)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      try await send(server, "GET", "/users/me", token: kept).expect(200)
      try await send(server, "GET", "/users/me", token: ended).expect(401)
      try await send(
        server, "PUT", "/users/me/password",
        #"{"current":"a cat on a keyboard","new":"a dog on a laptop"}"#, token: kept
      ).expect(204)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      try await send(server, "POST", "/sessions", login).expect(401)
      try await send(
        server, "DELETE", "/users/me", #"{"password":"a dog on a laptop"}"#, token: kept
      ).expect(204)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      try await send(server, "GET", "/users/me", token: kept).expect(401)
      try await send(server, "GET", "/users/ada").expect(404)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}
