import Foundation
import Memes
import Support
import Testing
import Wire

/// `mememe user`, with and without a running server.
struct UserCommandTests {
  /// Runs the command with a password on its standard input.
  private func user(
    _ words: [String], in folder: URL, typing password: String = ""
  ) async throws -> (code: Int32, output: String) {
    try await ServerProcess.run(
      ["user"] + words + ["--data", folder.path], input: "\(password)\n")
  }

  @Test func `an admin created next to a running server can sign in`() async throws {
    try await withServer { server in
      let made = try await user(
        ["create", "Ada", "--email", "ada@example.org", "--admin"], in: server.folder,
        typing: TestServer.password)
      #expect(made.code == 0, "\(made.output)")
      #expect(!made.output.contains(TestServer.password))
      let token = try await server.token("ada")
      try await server.get("/admin/stats", token: token).expect(200)
      #expect(try await server.acts() == ["command create-person ada"])

      for (words, password) in [
        (["create", "ada", "--email", "other@example.org"], TestServer.password),
        (["create", "bob", "--email", "ADA@example.org"], TestServer.password),
        (["create", "bob", "--email", "bob@example.org"], "password1"),
        (["create", "bob", "--email", "bob@example.org"], "bob@example.org"),
        (["create", "bob", "--email", "bob@example.org"], ""),
        (["role", "bob", "admin"], ""), (["suspend", "bob"], ""),
      ] {
        let refused = try await user(words, in: server.folder, typing: password)
        #expect(refused.code == 1, "\(words) \(refused.output)")
      }
      #expect(try await server.acts().count == 1)
      try await server.register("bob").expect(201)
      let bob = try await server.token("bob")
      #expect(
        try await user(["suspend", "bob", "--reason=spam"], in: server.folder).code == 0)
      try await server.get("/users/me", token: bob).expect(403, problem: "suspended")
      let list = try await user(["list"], in: server.folder)
      #expect(
        list.output == """
          ada\tadmin\tactive\tada@example.org
          bob\tmember\tsuspended\tbob@example.org

          """)
      #expect(try await user(["unsuspend", "bob"], in: server.folder).code == 0)
      try await server.get("/users/me", token: bob).expect(200)
      #expect(
        try await server.acts() == [
          "command unsuspend bob", "command suspend bob", "command create-person ada",
        ])
    }
  }

  @Test func `a lost second factor is turned off next to a running server`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      _ = try await server.turnOnSecondFactor(token: ada, at: .now())
      try await server.signIn("ada").expect(401, problem: "code-required")
      for _ in 1...2 {
        let off = try await user(["second-factor", "ada", "off"], in: server.folder)
        #expect(off.code == 0 && off.output == "Turned off the second factor of ada.\n")
      }
      try await server.signIn("ada").expect(201)
      #expect(try await server.acts() == ["command turn-off-second-factor ada"])
      #expect(try await user(["second-factor", "bob", "off"], in: server.folder).code == 1)
    }
  }

  @Test func `an account created without a server exists once one starts`() async throws {
    try await withDataFolder { folder in
      let none = try await user(["list"], in: folder)
      #expect(none.code == 1)
      #expect(none.output.contains("no mememe.db in"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      #expect(try await ServerProcess.run(["migrate", "--data", folder.path]).code == 0)
      let made = try await user(
        ["create", "ada", "--email=ada@example.org"], in: folder, typing: TestServer.password)
      #expect(made.code == 0, "\(made.output)")
      try await withServer(in: folder) { server in
        let token = try await server.token("ada")
        try await server.get("/admin/stats", token: token).expect(403, problem: "forbidden")
      }
      #expect(try await ServerProcess.run(["check", "--decode", "--data", folder.path]).code == 0)
    }
  }

  @Test func `invalid arguments are rejected with exit code 2`() async throws {
    try await withDataFolder { folder in
      for words in [
        [], ["create"], ["create", "ada"], ["create", "ada", "--email"],
        ["create", "ada", "--email", "nobody"], ["create", "admin", "--email", "a@example.org"],
        ["role", "ada", "king"], ["role", "ada"], ["list", "--admin"], ["delete", "ada"],
        ["suspend", "a b"], ["second-factor", "ada"], ["second-factor", "ada", "on"],
      ] {
        let refused = try await user(words, in: folder)
        #expect(refused.code == 2, "\(words) \(refused.output)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
