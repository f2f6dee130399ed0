import Foundation
import Support
import Testing

/// `mememe new-epoch`.
struct NewEpochTests {
  /// - Parameter run: runs the command.
  private func expectNewEpoch(
    _ settings: [String: String], in data: URL,
    run: () async throws -> (code: Int32, output: String)
  ) async throws {
    let server = try await ServerProcess(data: data, settings: settings)
    try await server.json(
      "POST", "/users",
      #"{"username":"ada","email":"ada@example.org","password":"\#(TestServer.password)"}"#
    ).expect(201)
    let session = try await server.json(
      "POST", "/sessions", #"{"username":"ada","password":"\#(TestServer.password)"}"#
    ).expect(201)
    let token = try #require(session.json.token.text)
    let form = FormBody([.file("image", try Fixture.photo.bytes), .field("top", "one")])
    let made = try await server.post(form).expect(201)
    let (url, own) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
    func changes(of server: ServerProcess, since cursor: String) async throws -> Answer {
      try await server.get("/memes/changes?since=\(cursor)", token: token)
    }
    let cursor = try #require(
      try await server.get("/memes/changes", token: token).expect(200).json.cursor.text)
    try await changes(of: server, since: cursor).expect(200)
    let refused = try await run()
    #expect(refused.code == 1 && refused.output.contains("server"), "\(refused)")
    #expect(try await server.end(by: SIGTERM) == 0)

    let done = try await run()
    #expect(done.code == 0 && done.output.contains("new epoch"), "\(done)")
    let again = try await ServerProcess(data: data, settings: settings)
    try await changes(of: again, since: cursor).expect(410, problem: "cursor-expired")
    let edited = try await again.patch(url, #"{"top":"two"}"#, token: own).expect(200)
    // The database that was lost may have given any of the versions since then.
    let version = try #require(edited.json.version.int)
    #expect(version > Int(Date.now.timeIntervalSince1970) - 600)
    #expect(try await again.end(by: SIGTERM) == 0)
  }

  @Test func `a data folder gets a new epoch, but not while a server uses it`() async throws {
    try await withDataFolder { data in
      try await expectNewEpoch([:], in: data) {
        try await ServerProcess.run(["new-epoch", "--data", data.path])
      }
    }
  }

  @Test func `a PostgreSQL database gets a new epoch, but not while a server uses it`()
    async throws
  {
    try await withSharedDatabase { database in
      try await expectNewEpoch(database.settings, in: database.folder.appending(path: "a")) {
        let (code, lines) = try await database.command("new-epoch")
        return (code, lines.joined(separator: "\n"))
      }
    }
  }

  @Test func `without a database there is nothing to do`() async throws {
    try await withDataFolder { data in
      let (code, output) = try await ServerProcess.run(["new-epoch", "--data", data.path])
      #expect(code == 1 && output.hasPrefix("mememe: no mememe.db in "), "\(output)")
    }
  }
}
