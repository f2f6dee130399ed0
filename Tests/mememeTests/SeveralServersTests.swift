import Eventually
import Foundation
import Memes
import PostgreSQL
import SQL
import Storage
import Support
import Testing

@testable import mememe

/// Processes that share a PostgreSQL database.
struct SeveralServersTests {
  private func withSettings(
    _ body: (_ settings: [String: String], _ folder: URL) async throws -> Void
  ) async throws {
    try await withSharedDatabase { database in try await body(database.settings, database.folder) }
  }

  private func form(_ top: String) throws -> FormBody {
    FormBody([.file("image", try Fixture.photo.bytes), .field("top", top)])
  }

  @Test func `two servers that start at once show each other's memes, and one survives the other`()
    async throws
  {
    try await withSettings { settings, folder in
      async let first = ServerProcess(data: folder.appending(path: "a"), settings: settings)
      async let second = ServerProcess(data: folder.appending(path: "b"), settings: settings)
      let (a, b) = try await (first, second)

      let made = try await a.post(try form("here")).expect(201)
      let (url, own) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
      try await b.get(url).expect(200)
      // Both servers now have an answer in memory.
      try await a.get(url).expect(200)
      try await b.patch(url, #"{"top":"there"}"#, token: own).expect(200)
      try await eventually("the other server shows the edit") {
        try await a.get(url).json.top.text == "there"
      }
      try await b.delete(url, token: own).expect(204)
      try await eventually("the other server shows the deletion") {
        try await a.get(url).status == 410
      }

      let kept = try await a.post(try form("kept"), key: "once").expect(201)
      #expect(try await a.end(by: SIGKILL) == SIGKILL)
      let again = try await b.post(try form("kept"), key: "once").expect(201)
      #expect(again["location"] == kept["location"] && again["idempotent-replayed"] == "true")
      let back = try await ServerProcess(data: folder.appending(path: "a"), settings: settings)
      try await back.get(try #require(kept["location"])).expect(200)
      for server in [back, b] {
        #expect(try await server.end(by: SIGTERM) == 0)
        #expect(!server.log.contains("error"), "\(server.log)")
      }
    }
  }

  @Test func `wrong passwords count at all servers together`() async throws {
    try await withSettings { settings, folder in
      let settings = settings.merging(["MEMEME_RATE_LIMITS": "on"]) { $1 }
      let a = try await ServerProcess(data: folder.appending(path: "a"), settings: settings)
      let b = try await ServerProcess(data: folder.appending(path: "b"), settings: settings)
      func guess(at server: ServerProcess) async throws -> Answer {
        try await server.json("POST", "/sessions", #"{"username":"ada","password":"a wrong one"}"#)
      }
      for number in 0..<Limit.wrongPassword.rate.burst {
        try await guess(at: number.isMultiple(of: 2) ? a : b)
          .expect(401, problem: "wrong-credentials")
      }
      for server in [a, b] {
        try await guess(at: server).expect(429, problem: "too-many-requests")
        #expect(try await server.end(by: SIGTERM) == 0)
      }
    }
  }

  @Test func `a code is good once at all servers, and wrong codes count together`() async throws {
    try await withSettings { settings, folder in
      let settings = settings.merging(["MEMEME_RATE_LIMITS": "on"]) { $1 }
      let a = try await ServerProcess(data: folder.appending(path: "a"), settings: settings)
      let b = try await ServerProcess(data: folder.appending(path: "b"), settings: settings)
      let password = #""password":"\#(TestServer.password)""#
      func signIn(at server: ServerProcess, _ code: String?) async throws -> Answer {
        let field = code.map { #","code":"\#($0)""# } ?? ""
        return try await server.json(
          "POST", "/sessions", #"{"username":"ada",\#(password)\#(field)}"#)
      }
      try await a.json(
        "POST", "/users", #"{"username":"ada","email":"ada@example.org",\#(password)}"#
      ).expect(201)
      let token = try #require(try await signIn(at: a, nil).expect(201).json.token.text)
      let begun = try await b.json("POST", "/users/me/totp", "{}", token: token).expect(201).json
      let app = TestApp(try #require(begun.secret.text))
      let code = try app.code(at: .now())
      let codes = try await a.json(
        "PUT", "/users/me/totp", #"{"code":"\#(code)",\#(password)}"#, token: token
      ).expect(200).json.recoveryCodes.elements.compactMap(\.text)
      try await signIn(at: b, code).expect(401, problem: "invalid-code")
      async let one = signIn(at: a, codes[0]).status
      async let other = signIn(at: b, codes[0]).status
      #expect(try await [one, other].sorted() == [201, 401])
      // Two wrong codes so far.
      let wrong = try app.wrongCode(at: .now())
      for server in [a, b, a] {
        try await signIn(at: server, wrong).expect(401, problem: "invalid-code")
      }
      for server in [a, b] {
        try await signIn(at: server, codes[1]).expect(429, problem: "too-many-requests")
        #expect(try await server.end(by: SIGTERM) == 0)
      }
    }
  }

  @Test func `a server without what all must have in common does not start`() async throws {
    try await withSettings { settings, folder in
      for name in ["MEMEME_SECRET_KEY_FILE", "MEMEME_ADMIN_TOKEN", "MEMEME_SMTP_URL"] {
        let ended = try await ServerProcess.run(
          ["serve", "--port", "0", "--data", folder.path],
          environment: settings.filter { $0.key != name })
        #expect(ended.code == 2)
        #expect(ended.output.hasPrefix("mememe: \(name): is required with MEMEME_DATABASE\n"))
      }
      let server = try await ServerProcess(data: folder.appending(path: "a"), settings: settings)
      let other = folder.appending(path: "other")
      try Data(repeating: 8, count: 32).write(to: other)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.path)
      let ended = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", folder.appending(path: "b").path],
        environment: settings.merging(["MEMEME_SECRET_KEY_FILE": other.path]) { $1 })
      #expect(ended.code == 2, "\(ended.output)")
      #expect(ended.output.contains("MEMEME_SECRET_KEY_FILE: is not the key"))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: other.path)
      let exposed = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", folder.appending(path: "b").path],
        environment: settings.merging(["MEMEME_SECRET_KEY_FILE": other.path]) { $1 })
      #expect(exposed.code == 2, "\(exposed.output)")
      #expect(exposed.output.contains("MEMEME_SECRET_KEY_FILE: \(other.path) has mode 644"))
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  /// Migrates the database as a later release would.
  private func upgrade(_ settings: [String: String], by later: [Migration]) throws {
    let address = try ServerAddress(try #require(settings["MEMEME_DATABASE"]), environment: [:])
    try MemeDatabase.open(address, migrations: Server.serverMigrations + later, connections: 1)
      .close()
  }

  @Test
  func `a server works beside a later version if that allows it, and ends if it does not`()
    async throws
  {
    try await withSettings { settings, folder in
      let old = try await ServerProcess(data: folder.appending(path: "a"), settings: settings)
      let made = try await old.post(try form("before")).expect(201)
      let (url, token) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
      let expand = Migration(
        name: "9001_expand.sql",
        sql: """
          -- compatible from \(Server.serverVersion)
          ALTER TABLE memes ADD COLUMN added bigint;
          ALTER TABLE users ADD COLUMN added bigint NOT NULL DEFAULT 0
          """)
      try await blocking { try upgrade(settings, by: [expand]) }
      try await old.patch(url, #"{"top":"beside"}"#, token: token).expect(200)
      try await old.post(try form("after")).expect(201)
      let another = try await ServerProcess(data: folder.appending(path: "b"), settings: settings)
      for server in [old, another] {
        #expect(try await server.get(url).expect(200).json.top.text == "beside")
        try await server.get("/readyz").expect(200)
      }

      let contract = Migration(
        name: "9002_contract.sql", sql: "ALTER TABLE memes DROP COLUMN added")
      try await blocking { try upgrade(settings, by: [expand, contract]) }
      for server in [old, another] {
        #expect(try await server.ended() == 1)
        #expect(server.log.contains("the database has version 9002"), "\(server.log)")
        #expect(server.log.contains("stopped"), "\(server.log)")
      }
      let late = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", folder.appending(path: "a").path], environment: settings)
      #expect(late.code == 1, "\(late.output)")
      #expect(late.output.contains("newer than this program's"), "\(late.output)")
    }
  }

  @Test func `commands use the database, or say what to do instead`() async throws {
    try await withSettings { settings, folder in
      func run(_ arguments: String..., input: String = "") async throws -> (
        code: Int32, output: String
      ) {
        try await ServerProcess.run(
          arguments + ["--data", folder.appending(path: "a").path], environment: settings,
          input: input)
      }
      let early = try await run("user", "list")
      #expect(early.code == 1 && early.output.contains("run mememe migrate"), "\(early.output)")
      let migrated = try await run("migrate")
      let newest = try #require(Assets.serverMigrations.last?.name.prefix(4))
      let version = try #require(Int(newest))
      #expect(migrated.code == 0 && migrated.output.contains("is at version \(version)"))
      let created = try await run(
        "user", "create", "ada", "--email", "ada@example.org", "--admin",
        input: "\(TestServer.password)\n")
      #expect(created.code == 0, "\(created.output)")
      #expect(try await run("user", "list").output == "ada\tadmin\tactive\tada@example.org\n")

      let server = try await ServerProcess(data: folder.appending(path: "a"), settings: settings)
      try await server.post(try form("out")).expect(201)
      let out = folder.appending(path: "out").path
      let exported = try await run("export", out)
      #expect(exported.code == 0, "\(exported.output)")
      let imported = try await run("import", out)
      #expect(imported.code == 0, "\(imported.output)")
      let layouts = folder.appending(path: "layouts/cat")
      try FileManager.default.createDirectory(at: layouts, withIntermediateDirectories: true)
      try Data(Fixture.photo.bytes).write(to: layouts.appending(path: "image.jpg"))
      try Data(#"{"name": "Cat", "aliases": ["cat"]}"#.utf8)
        .write(to: layouts.appending(path: "template.json"))
      for count in [1, 0] {
        let taken = try await run("templates", "import", folder.appending(path: "layouts").path)
        #expect(taken.code == 0 && taken.output.contains("imported \(count) template"), "\(taken)")
      }
      #expect(try await server.get("/templates/cat").expect(200).json.name == "Cat")
      let drawn = try await server.get("/images/cat/such.jpg?width=90")
      #expect(drawn.status == 200)
      let copies = folder.appending(path: "copies")
      let written = try await run("templates", "export", copies.path)
      #expect(written.code == 0, "\(written.output)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: copies.path).count == 1)
      let refused = try await run("backup")
      #expect(refused.code == 1)
      #expect(refused.output.contains("not available with MEMEME_DATABASE"), "\(refused.output)")
      try await server.json("POST", "/admin/backups", nil, token: SharedDatabase.token)
        .expect(501, problem: "not-here")
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}
