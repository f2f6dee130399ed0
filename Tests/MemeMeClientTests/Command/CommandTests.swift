import Foundation
import Memes
import Support
import Testing
import Wire

/// `mememe-client`, over sockets to a real server, with one process for each step.
struct CommandTests {
  @Test func `offline changes reach the server with a sync`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      var ids: [String] = []
      for top in ["a", "b", "c"] {
        let ending = try await phone.run("post", try scene.picture, "--top", top, "--offline")
        #expect(ending.code == 0 && ending.complaints.isEmpty)
        ids += ending.lines
      }
      #expect(try await phone.run("edit", ids[0], "--bottom=below", "--offline").code == 0)
      #expect(try await phone.run("delete", ids[1], "--offline").code == 0)
      #expect(try await phone.json("list").map(\.state.text) == ["waiting", "waiting"])
      #expect(try await scene.memes().isEmpty)
      let ending = try await phone.run("sync")
      #expect(ending.code == 0, "\(ending.complaints)")
      let kept = try await scene.memes()
      #expect(
        CommandScene.looks(kept).sorted() == ["\(ids[0]) 1 a below", "\(ids[2]) 1 c "].sorted())
      let shown = try await phone.json("list")
      #expect(CommandScene.looks(shown) == CommandScene.looks(kept))
      #expect(shown.allSatisfy { $0.state.text == "sent" && $0.hasThumbnail == .bool(true) })
    }
  }

  @Test func `a token is sent only to the server that issued it`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      let other = try ScriptedServer { _ in
        .sendAndClose("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
      }
      defer { other.stop() }
      let stranger = ClientProcess(
        store: scene.folder.appending(path: "phone"), server: "http://127.0.0.1:\(other.port)")
      #expect(try await stranger.run("sync").code != 0)
      #expect(!other.requests.isEmpty)
      #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil })
      #expect(try await phone.run("sync").code == 0)
    }
  }

  @Test func `an edit succeeds even if an older draft of the meme exists`() async throws {
    try await withCommandScene { scene in
      let (phone, tablet) = (try await scene.signedIn("phone"), try await scene.signedIn("tablet"))
      let id = try #require(
        try await phone.run("post", try scene.picture, "--top", "a").lines.first)
      #expect(try await tablet.run("sync").code == 0)
      #expect(try await phone.run("edit", id, "--top", "phone").code == 0)
      #expect(try await tablet.run("edit", id, "--top", "tablet").code == 1)
      #expect(try await tablet.json("drafts").count == 1)
      let ending = try await tablet.run("edit", id, "--bottom", "later")
      #expect(ending.code == 0, "\(ending.complaints)")
      #expect(try await tablet.json("drafts").count == 1)
    }
  }

  @Test func `two stores of a person end equal, and the losing edit is a draft`() async throws {
    try await withCommandScene { scene in
      let (phone, tablet) = (try await scene.signedIn("phone"), try await scene.signedIn("tablet"))
      let posted = try await phone.run("post", try scene.picture, "--top", "a")
      #expect(posted.code == 0, "\(posted.complaints)")
      let id = try #require(posted.lines.first)
      #expect(try await tablet.run("sync").code == 0)
      #expect(CommandScene.looks(try await tablet.json("list")) == ["\(id) 1 a "])
      #expect(try await phone.run("edit", id, "--top", "phone").code == 0)
      #expect(try await tablet.run("edit", id, "--top", "tablet", "--offline").code == 0)
      #expect(try await tablet.run("sync").code == 0)
      #expect(CommandScene.looks(try await tablet.json("list")) == ["\(id) 2 phone "])
      let draft = try #require(try await tablet.json("drafts").first)
      #expect(draft.content.top.text == "tablet" && draft.meme.text == id)
      #expect(draft.reason.text == "The meme was changed elsewhere.")
      let number = try #require(draft.number.int)
      #expect(try await tablet.run("drafts", "apply", "\(number)").code == 0)
      #expect(try await phone.run("sync").code == 0)
      #expect(CommandScene.looks(try await phone.json("list")) == ["\(id) 3 tablet "])
      // The meme is deleted on the phone while the tablet edits it.
      #expect(try await phone.run("delete", id).code == 0)
      #expect(try await tablet.run("edit", id, "--top", "too late", "--offline").code == 0)
      #expect(try await tablet.run("sync").code == 0)
      #expect(try await tablet.json("list").isEmpty)
      let late = try #require(try await tablet.json("drafts").first)
      #expect(late.reason.text == "The meme was deleted elsewhere.")
      #expect(try await tablet.run("drafts", "apply", "\(late.number.int ?? 0)").code == 1)
      #expect(try await tablet.run("drafts", "discard", "\(late.number.int ?? 0)").code == 0)
      #expect(try await tablet.json("drafts").isEmpty)
    }
  }

  @Test func `a client killed during a sync resumes`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      var random = SeededRandom(54)
      var wanted: [String] = []
      for round in 0..<6 {
        for number in 0..<3 {
          let top = "meme \(round).\(number)"
          wanted.append(top)
          let ending = try await phone.run("post", try scene.picture, "--top", top, "--offline")
          #expect(ending.code == 0)
          let id = try #require(ending.lines.first)
          #expect(try await phone.run("edit", id, "--bottom", top, "--offline").code == 0)
        }
        _ = try await phone.run("sync", killedAfter: Int.random(in: 0..<600, using: &random))
        // Also edits memes that may have reached the server.
        if let id = try await phone.json("list").randomElement(using: &random)?.id.text {
          #expect(
            try await phone.run("edit", id, "--alt-text", "round \(round)", "--offline").code == 0)
        }
      }
      #expect(try await phone.run("sync").code == 0)
      let kept = try await scene.memes()
      #expect(kept.compactMap(\.top.text).sorted() == wanted.sorted())
      #expect(kept.allSatisfy { $0.bottom.text == $0.top.text })
      #expect(CommandScene.looks(try await phone.json("list")) == CommandScene.looks(kept))
      #expect(try await phone.json("drafts").isEmpty)
    }
  }

  @Test func `a rejected creation is reported and becomes a draft`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      let text = scene.folder.appending(path: "text.png")
      try Data("no picture".utf8).write(to: text)
      let ending = try await phone.run("post", text.path)
      #expect(ending.code == 1)
      #expect(ending.complaints.contains("Saved as draft 1."))
      #expect(try await phone.json("list").map(\.state.text) == ["failed"])
      #expect(try await phone.json("drafts").map(\.kind.text) == ["creation"])
      #expect(try await scene.memes().isEmpty)
      let refused = try await phone.run("logout")
      #expect(refused.code == 1 && refused.complaints.contains("1 drafts would be lost"))
      #expect(try await phone.json("drafts").count == 1)
      #expect(try await phone.run("logout", "--force").code == 0)
      #expect(try await phone.json("drafts").isEmpty)
    }
  }

  @Test func `only the owner can read the session file`() async throws {
    try await withCommandScene { scene in
      let phone = scene.command("phone")
      #expect(try await phone.run("sync").code == 4)
      #expect(
        try await phone.run("login", CommandScene.username, password: "wrong").code == 1)
      // The password can also come from the standard input.
      let ending = try await phone.run(
        "login", CommandScene.username, input: "\(TestServer.password)\n")
      #expect(ending.code == 0, "\(ending.complaints)")
      let file = phone.store.appending(path: "session.json").path
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let picture = try scene.picture
      #expect(try await phone.run("post", picture, "--offline").code == 0)
      let refused = try await phone.run("logout")
      #expect(refused.code == 1 && refused.complaints.contains("1 changes are not sent yet"))
      #expect(try await phone.json("list").count == 1)
      #expect(try await phone.run("logout", "--force").code == 0)
      #expect(try await phone.json("list").isEmpty)
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(try await phone.run("sync").code == 4)
    }
  }

  @Test func `the code of a second factor comes from the standard input`() async throws {
    try await withCommandScene { scene in
      let (_, codes) = try await scene.server.turnOnSecondFactor(
        token: try await scene.server.token(CommandScene.username), at: .now())
      let phone = scene.command("phone")
      let missing = try await phone.run(
        "login", CommandScene.username, password: TestServer.password)
      #expect(missing.code == 1 && missing.complaints.contains("no code given"))
      let ending = try await phone.run(
        "login", CommandScene.username, password: TestServer.password, input: "\(codes[0])\n")
      #expect(ending.code == 0, "\(ending.complaints)")
    }
  }

  @Test func `a library belongs to one person`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      #expect(try await phone.run("sync").code == 0)
      _ = try await scene.server.signUp("happy_cat")
      let ending = try await phone.run("login", "happy_cat", password: TestServer.password)
      #expect(ending.code == 1)
      #expect(ending.complaints.contains("this library belongs to grumpy_cat"))
      #expect(try await phone.run("sync").code == 0)
    }
  }

  @Test func `the owner signs in under a new username`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      #expect(try await phone.run("sync").code == 0)
      try await scene.server.json(
        "PATCH", "/users/me", #"{"username":"happy_cat"}"#, token: scene.token
      ).expect(200)
      let ending = try await phone.run("login", "happy_cat", password: TestServer.password)
      #expect(ending.code == 0, "\(ending.complaints)")
      #expect(try await phone.run("sync").code == 0)
    }
  }

  @Test func `with a damaged session file the user works offline and signs in again`() async throws
  {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      let picture = try scene.picture
      #expect(try await phone.run("post", picture, "--top", "a", "--offline").code == 0)
      let file = phone.store.appending(path: "session.json")
      try Data().write(to: file)
      #expect(try await phone.json("list").map(\.top.text) == ["a"])
      #expect(try await phone.json("drafts").isEmpty)
      #expect(try await phone.run("post", picture, "--top", "b", "--offline").code == 0)
      let ending = try await phone.run("sync")
      #expect(ending.code == 1 && ending.complaints.contains("log in again"))
      #expect(
        try await phone.run("login", CommandScene.username, password: TestServer.password).code
          == 0)
      #expect(try await phone.run("sync").code == 0)
      #expect(try await scene.memes().count == 2)
      try Data("{".utf8).write(to: file)
      #expect(try await phone.run("logout").code == 0)
      #expect(try await phone.json("list").isEmpty)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func `without a server everything is stored`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      let nowhere = ClientProcess(store: phone.store, server: "http://127.0.0.1:1")
      let ending = try await nowhere.run("post", try scene.picture, "--top", "later")
      #expect(ending.code == 3 && ending.lines.count == 1)
      #expect(try await nowhere.json("list").map(\.state.text) == ["waiting"])
      #expect(try await phone.run("sync").code == 0)
      #expect(try await scene.memes().compactMap(\.top.text) == ["later"])
    }
  }

  @Test func `an invalid command line is rejected with the reason`() async throws {
    try await withDataFolder { folder in
      let client = ClientProcess(store: folder.appending(path: "x"), server: "http://127.0.0.1:1")
      for (arguments, reason) in [
        ([], "no command given"), (["dance"], "unknown command: dance"),
        (["post"], "missing picture file"), (["edit", "x"], "no changes given"),
        (["edit", "x", "--top", "y"], "x is not a meme ID"),
        (["drafts", "apply", "x"], "x is not a draft number"),
        (["list", "--top", "y"], "unexpected argument: --top"),
        (["post", "x", "--top"], "--top: missing value"),
        (["sync", "--timeout=0"], "--timeout must be a whole number of seconds"),
        (["sync", "--server", "http://127.0.0.1:2"], "unexpected argument: --server"),
      ] {
        let ending = try await client.run(arguments)
        #expect(ending.code == 2, "\(arguments)")
        #expect(ending.complaints.contains(reason), "\(arguments): \(ending.complaints)")
      }
      let help = try await client.run("--help")
      #expect(help.code == 0 && help.output.hasPrefix("usage: mememe-client <command>"))
    }
  }

  @Test func `one command at a time uses a store, and a signal ends watching`() async throws {
    try await withCommandScene { scene in
      let phone = try await scene.signedIn("phone")
      let process = Process()
      let complaints = Pipe.alone()
      process.executableURL = ServerProcess.product("mememe-client")
      process.arguments = ["--store", phone.store.path, "sync", "--watch"]
      process.standardError = complaints
      let end = try process.startAlone()
      let told = try await blocking { complaints.fileHandleForReading.availableData }
      #expect(String(decoding: told, as: UTF8.self) == "up to date\n")
      let ending = try await phone.run("list")
      #expect(ending.code == 5)
      #expect(ending.complaints.contains("another process (\(process.processIdentifier))"))
      let id =
        try await scene.server.make(top: "elsewhere", token: scene.token)
        .split(separator: "/").last ?? ""
      let heard = try await blocking { complaints.fileHandleForReading.availableData }
      #expect(String(decoding: heard, as: UTF8.self).hasPrefix("\(id) is in sync\n"))
      kill(process.processIdentifier, SIGTERM)
      try await blocking { end.wait() }
      #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
      #expect(try await phone.json("list").map(\.top.text) == ["elsewhere"])
    }
  }
}
