import Eventually
import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

struct ExportTests {
  private static let day: Int64 = 1_795_391_999_000
  private static let folder = "mememe-ada-2026-11-22"

  private func ask(_ server: TestServer, _ token: String) async throws -> Answer {
    try await server.send(
      "POST", "/users/me/export", headers: [("Authorization", "Bearer \(token)")])
  }

  /// The archive's files, keyed by their paths within its folder.
  private func files(_ answer: Answer) async throws -> [String: Data] {
    let archive = answer.response.body
    let files = try await blocking { try Unzipped(archive).files }
    let folder = Self.folder + "/"
    #expect(files.allSatisfy { $0.name.hasPrefix(folder) })
    return Dictionary(
      uniqueKeysWithValues: files.map { (String($0.name.dropFirst(folder.count)), $0.content) })
  }

  private func names(_ file: Data?) throws -> [String] {
    try JSON(parsing: Array(try #require(file))).items.elements.compactMap(\.username.text)
  }

  private func makeTemplate(_ server: TestServer, _ token: String) async throws -> String {
    try #require(
      try await server.post(
        to: "/templates",
        [.file("image", try Fixture.transparent.bytes), .field("name", "x")], token: token
      ).expect(201)["location"])
  }

  @Test func `the archive has the person's data and nothing of others`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      _ = try await server.register("mal")
      try await server.put("/users/eve/follow", token: ada).expect(204)
      try await server.put("/users/ada/follow", token: eve).expect(204)
      try await server.put("/users/mal/block", token: ada).expect(204)
      try await server.json("PATCH", "/users/me/settings", #"{"theme":"dark"}"#, token: ada)
        .expect(200)
      try await server.send(
        "PUT", "/users/me/avatar", headers: [("Authorization", "Bearer \(ada)")],
        body: try Fixture.photo.bytes
      ).expect(200)
      let memes = [
        try await server.make("private", top: "../a/b\\c 😀\u{0301} \"x\"", token: ada),
        try await server.make("friends", token: ada), try await server.make(token: ada),
      ]
      let deleted = try await server.make(token: ada)
      try await server.delete(deleted, token: ada).expect(204)
      _ = try await server.make("friends", top: "of eve", token: eve)
      _ = try await server.make(top: "of eve", token: eve)
      _ = try await server.make(top: "of nobody")
      let template = try await makeTemplate(server, ada)
      _ = try await makeTemplate(server, eve)

      let answer = try await ask(server, ada).expect(
        200, lacking: ["of eve", "of nobody", "argon2"])
      #expect(answer["content-type"] == "application/zip")
      #expect(
        answer["content-disposition"] == "attachment; filename=\"\(Self.folder).zip\"")
      #expect(answer["cache-control"] == "no-store")
      let files = try await files(answer)

      var expected = [
        "account.json": "/users/me", "settings.json": "/users/me/settings",
        "sessions.json": "/sessions", "tokens.json": "/users/me/tokens",
        "identities.json": "/users/me/identities",
        "avatar.jpg": "/users/ada/avatar?size=512",
        "\(template.dropFirst())/template.json": template,
        "\(template.dropFirst())/image.png": "\(template)/image",
      ]
      for meme in memes {
        let folder = meme.dropFirst()
        expected["\(folder)/meme.json"] = meme
        expected["\(folder)/original.gif"] = "\(meme)/original"
        expected["\(folder)/image.jpg"] = "\(meme)/image"
      }
      for (path, address) in expected {
        let shown = try await server.get(address, token: ada).expect(200).response.body
        #expect(files[path] == Data(shown), "\(path)")
      }
      let circles = ["following.json", "followers.json", "blocks.json"]
      let connections = try JSON(parsing: Array(try #require(files["connections.json"])))
      #expect(connections.items.elements.isEmpty)
      let marks = [
        "likes-1.json", "favorites-1.json", "comments-1.json", "reports-1.json",
        "invitations-1.json",
      ]
      #expect(Set(files.keys) == Set(expected.keys).union(circles + marks + ["connections.json"]))
      #expect(try circles.map { try names(files[$0]) } == [["eve"], ["eve"], ["mal"]])
    }
  }

  @Test func `an empty account can be exported`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let files = try await files(try await ask(server, try await server.signUp("ada")).expect(200))
      #expect(
        Set(files.keys) == [
          "account.json", "settings.json", "sessions.json", "tokens.json", "connections.json",
          "identities.json", "following.json", "followers.json", "blocks.json", "likes-1.json",
          "favorites-1.json", "comments-1.json", "reports-1.json",
          "invitations-1.json",
        ])
      #expect(try names(files["followers.json"]) == [])
    }
  }

  @Test func `access tokens are exported without their secrets`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      _ = try await server.makeToken(["write"], token: ada)
      let files = try await files(try await ask(server, ada).expect(200))
      let written = try #require(files["tokens.json"])
      #expect(try JSON(parsing: Array(written)).items.elements.map(\.name.text) == ["a script"])
      #expect(try JSON(parsing: Array(written)).items.elements.map(\.token) == [.null])
    }
  }

  @Test func `an access token exports nothing that it cannot list`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now, { $0.memberInvites = 1 }) { server in
      let ada = try await server.signUp("ada")
      try await server.json("POST", "/invitations", "{}", token: ada).expect(201)
      let token = try await server.makeToken(["write"], token: ada)
      let all = try await files(try await ask(server, ada).expect(200))
      var answer = try await ask(server, token)
      // The previous export may still be in progress.
      while answer.status == 409 { answer = try await ask(server, token) }
      let files = try await files(answer.expect(200))
      #expect(
        Set(all.keys).subtracting(files.keys) == [
          "sessions.json", "tokens.json", "identities.json", "invitations-1.json",
        ])
      #expect(Set(files.keys).isSubset(of: all.keys))
    }
  }

  @Test func `invitations are exported without their codes`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now, { $0.memberInvites = 1 }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.json("POST", "/invitations", "{}", token: ada).expect(201)
      let files = try await files(try await ask(server, ada).expect(200))
      let written = try #require(files["invitations-1.json"])
      let items = try JSON(parsing: Array(written)).items.elements
      #expect(items.map(\.id) == [made.json.id])
      #expect(items.map(\.code) == [.null] && items.map(\.url) == [.null])
    }
  }

  @Test func `likes, favorites and comments are exported, in parts if there are many`()
    async throws
  {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let memes = [try await server.make(token: eve), try await server.make(token: eve)]
      for meme in memes { try await server.put("\(meme)/like", token: ada).expect(204) }
      try await server.put("\(memes[0])/favorite", token: ada).expect(204)
      try await server.put("\(memes[1])/favorite", token: eve).expect(204)
      var written: [JSON] = []
      for (meme, token) in [(memes[1], ada), (memes[0], eve), (memes[0], ada), (memes[0], ada)] {
        let answer = try await server.json(
          "POST", "\(meme)/comments", #"{"text":"words"}"#, token: token)
        if token == ada { written.append(answer.expect(201).json) }
      }
      let deleted = try #require(written.popLast()?.id.text)
      try await server.delete("/comments/\(deleted)", token: ada).expect(204)
      // The person's likes stay in their export after the meme is hidden from them.
      try await server.json("PATCH", memes[1], #"{"visibility":"private"}"#, token: eve)
        .expect(200)
      let files = try await files(try await ask(server, ada).expect(200))
      func marked(_ name: String) throws -> [String] {
        let items = try JSON(parsing: Array(try #require(files[name]))).items.elements
        #expect(items.allSatisfy { $0.createdAt.text == "2026-11-22T23:59:59.000Z" })
        return items.compactMap(\.meme.text).map { "/memes/\($0)" }
      }
      #expect(try marked("likes-1.json") == memes.reversed())
      #expect(try marked("favorites-1.json") == [memes[0]])
      let comments = try JSON(parsing: Array(try #require(files["comments-1.json"]))).items
      #expect(comments.elements == written)
    }
  }

  @Test func `the archive has reports by the person, and none about them`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let meme = try await server.make(token: eve)
      for (target, token) in [(meme, ada), ("/users/eve", ada), ("/users/ada", eve)] {
        clock.set(clock.now().millisecondsSince1970 + 1)
        try await server.json("POST", "\(target)/reports", #"{"reason":"spam"}"#, token: token)
          .expect(201)
      }
      let files = try await files(try await ask(server, ada).expect(200))
      let reports = try JSON(parsing: Array(try #require(files["reports-1.json"]))).items.elements
      #expect(reports.map(\.subject.kind.text) == ["person", "meme"])
      #expect(reports[0].subject.username.text == "eve" && reports[0].reason.text == "spam")
      #expect(reports[1].subject.id.text.map { "/memes/\($0)" } == meme)
    }
  }

  @Test func `the archive does not name a reported person who blocks the person`() async throws {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      try await server.json("POST", "/users/eve/reports", #"{"reason":"spam"}"#, token: ada)
        .expect(201)
      try await server.put("/users/ada/block", token: eve).expect(204)
      try await server.json("PATCH", "/users/me", #"{"username":"evelyn"}"#, token: eve)
        .expect(200)
      let files = try await files(try await ask(server, ada).expect(200))
      let report = try JSON(parsing: Array(try #require(files["reports-1.json"]))).items[0]
      #expect(report.reason.text == "spam" && report.subject.kind.text == "person")
      #expect(report.subject.username == .null)
    }
  }

  @Test func `same-origin pages can export with the cookie, cross-site pages cannot`()
    async throws
  {
    try await withLiveServer { server in
      try await server.register("ada").expect(201)
      let same = ("Sec-Fetch-Site", "same-origin")
      let field = try await server.signIn("ada", cookie: true, headers: [same])["set-cookie"]
      let cookie = ("Cookie", String(try #require(field).prefix { $0 != ";" }))
      try await server.send("POST", "/users/me/export", headers: [cookie, same]).expect(200)
      try await server.send(
        "POST", "/users/me/export", headers: [cookie, ("Sec-Fetch-Site", "cross-site")]
      ).expect(403, problem: "cross-site")
    }
  }

  @Test func `a person has one export at a time, until its client receives it or disconnects`()
    async throws
  {
    try await withLiveServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      // More than the socket buffers of both sides hold.
      let large = try Fixture.photo.bytes + [UInt8](repeating: 0, count: 12 << 20)
      for _ in 0..<2 { try await server.post([.file("image", large)], token: ada).expect(201) }
      var client: WireClient? = try server.connect()
      await client?.send(
        "POST /users/me/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada)\r\n\r\n")
      await client?.skip(1)
      var second = try await ask(server, ada).expect(409, problem: "export-running")
      #expect(second["retry-after"] == "2")
      try await ask(server, eve).expect(200)
      client = nil
      try await eventually("the first export is over") {
        second = try await ask(server, ada)
        return second.status != 409
      }
      #expect(second.expect(200).response.body.count > 24 << 20)
      #if os(Linux)
        // Nothing of the first export is left. The second one is released when its last byte is handed over.
        try await eventually("nothing is mapped") { try maps(of: server).isEmpty }
      #endif
    }
  }

  @Test func `a meme edited or deleted during an export is exported whole or not at all`()
    async throws
  {
    let clock = HeldClock()
    clock.set(Self.day)
    try await withLiveServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let memes = [try await server.make(token: ada), try await server.make(token: ada)]
      async let edits: Void = {
        for length in 1...30 {
          let top = String(repeating: "W", count: length)
          try await server.json("PATCH", memes[0], #"{"top":"\#(top)"}"#, token: ada).expect(200)
        }
        try await server.delete(memes[1], token: ada).expect(204)
      }()
      var versions: Set<Int> = []
      for _ in 0..<500 where !versions.contains(31) {
        let answer = try await ask(server, ada)
        // The previous export may still be in progress.
        guard answer.status == 200 else { continue }
        let files = try await files(answer)
        let there = Set(files.keys.filter { $0.hasPrefix("memes/") }.map { $0.prefix(42) })
        #expect(there.contains(memes[0].dropFirst()))
        for folder in there {
          let meme = try JSON(parsing: Array(try #require(files["\(folder)/meme.json"])))
          #expect(files["\(folder)/image.jpg"]?.count == meme.image.bytes.int)
          #expect(files["\(folder)/original.gif"]?.count == meme.original.bytes.int)
          if let version = meme.version.int { versions.insert(version) }
        }
      }
      try await edits
      #expect(versions.count > 2 && versions.contains(31))
      var last = try await ask(server, ada)
      while last.status == 409 { last = try await ask(server, ada) }
      let names = try await files(last.expect(200)).keys.filter { $0.hasPrefix("memes/") }
      #expect(names.count == 3 && names.allSatisfy { $0.hasPrefix(memes[0].dropFirst()) })
    }
  }

  @Test func `exports are limited per hour`() async throws {
    try await withLiveServer({ $0.limitsRates = true }) { server in
      let ada = try await server.signUp("ada")
      for _ in 0..<Limit.export.rate.burst {
        var answer = try await ask(server, ada)
        // The previous export may still be in progress.
        while answer.status == 409 { answer = try await ask(server, ada) }
        guard answer.status == 200 else { break }
      }
      let refused = try await server.exhaust(
        .export, "POST", "/users/me/export", token: ada
      ).answer.expect(429, problem: "too-many-requests")
      let wait = try #require(refused["retry-after"].flatMap { Int($0) })
      #expect((3000...3600).contains(wait))
    }
  }

  @Test func `an export is rejected if the disk is full`() async throws {
    try await withDataFolder { folder in
      var ada = ""
      try await withLiveServer(in: folder) { ada = try await $0.signUp("ada") }
      try await withLiveServer(in: folder, { $0.diskFloorBytes = .max }) { server in
        try await ask(server, ada).expect(507, problem: "storage-full")
        // The failed export no longer counts as running.
        try await ask(server, ada).expect(507, problem: "storage-full")
      }
    }
  }

  #if os(Linux)
    /// The mapped unnamed files of the server's folder.
    private func maps(of server: TestServer) throws -> [Substring] {
      try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("\(server.folder.lastPathComponent)/upload-") }
    }
  #endif
}
