import Foundation
import Support
import Testing
import Wire

/// Comments on memes: permissions, lists and counts.
struct CommentTests {
  private func write(
    _ text: String, on meme: String, _ server: TestServer, token: String, key: String? = nil
  ) async throws -> Answer {
    let json = String(decoding: try JSONEncoder().encode(["text": text]), as: UTF8.self)
    return try await server.json(
      "POST", "\(meme)/comments", json, token: token,
      headers: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  /// The texts of a meme's comments, from all pages.
  private func texts(
    _ server: TestServer, _ meme: String, _ query: String = "", token: String? = nil
  ) async throws -> [String] {
    var (found, next): ([String], String?) = ([], "\(meme)/comments\(query)")
    while let target = next {
      let page = try await server.get(target, token: token).expect(200)
      found += page.json.items.elements.compactMap(\.["text"].text)
      next = page["link"].flatMap { $0.split(separator: ">").first?.dropFirst() }.map(String.init)
    }
    return found
  }

  private func count(_ server: TestServer, _ meme: String, token: String? = nil) async throws
    -> Int?
  {
    let detail = try await server.get(meme, token: token).expect(200).json.counts.comments.int
    let row = try await server.get("/memes?view=table", token: token).expect(200).json.items
      .elements.first { "/memes/\($0.id.text ?? "")" == meme }
    if let row { #expect(row.counts.comments.int == detail) }
    return detail
  }

  @Test func `a comment can be created, counted, read, edited and deleted`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      // Emoji, right-to-left text, combining marks and newlines stay as typed; only line ends are normalized.
      let text = "e\u{301} שלום\n 👩‍👩‍👧‍👦 "
      let typed = "e\u{301} שלום\r\n 👩‍👩‍👧‍👦 "
      clock.set(1000)
      let created = try await write(typed, on: meme, server, token: bob).expect(201)
      let url = try #require(created["location"])
      let tag = try #require(created["etag"])
      #expect(url == "/comments/\(created.json.id.text ?? "")" && tag.hasPrefix("\"1."))
      #expect(created.json["text"].text == text)
      #expect("/memes/\(created.json.meme.text ?? "")" == meme)
      #expect(created.json.author.username.text == "bob")
      #expect(created.json.createdAt.text == "1970-01-01T00:00:01.000Z")
      #expect(created.json.editedAt == .null)
      for (token, canEdit, canDelete) in [
        (nil, false, false), (ada, false, true), (bob, true, true),
        (server.adminToken, false, true),
      ] {
        #expect(try await count(server, meme, token: token) == 1)
        #expect(try await texts(server, meme, token: token) == [text])
        let seen = try await server.get(url, token: token).expect(200).json
        #expect(seen.viewer.canEdit.flag == canEdit && seen.viewer.canDelete.flag == canDelete)
      }
      try await server.send(
        "GET", url, headers: [("Authorization", "Bearer \(bob)"), ("If-None-Match", tag)]
      ).expect(304)

      clock.set(2000)
      for _ in 0..<2 {
        let edited = try await server.json("PATCH", url, #"{"text":"shorter"}"#, token: bob)
          .expect(200)
        #expect(edited.json["text"].text == "shorter")
        #expect(edited.json.editedAt.text == "1970-01-01T00:00:02.000Z")
        #expect(edited["etag"]?.hasPrefix("\"2.") == true)
        // The second, identical edit changes nothing.
        clock.set(3000)
      }
      #expect(try await count(server, meme) == 1)
      try await server.delete(url, token: bob).expect(204)
      #expect(try await count(server, meme) == 0)
      #expect(try await texts(server, meme).isEmpty)
      try await server.get(url).expect(410, problem: "gone")
      try await server.delete(url, token: bob).expect(410)
      try await server.json("PATCH", url, #"{"text":"x"}"#, token: bob).expect(410)
    }
  }

  @Test func `only its author edits a comment; its author, the meme's author and admins delete it`()
    async throws
  {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let eve = try await server.signUp("eve")
      let meme = try await server.make(token: ada)
      let edit = #"{"text":"other words"}"#
      for (deleter, status) in [
        (nil, 401), (eve, 403), (ada, 204), (bob, 204), (server.adminToken, 204),
      ] as [(String?, Int)] {
        let url = try #require(
          try await write("bob's", on: meme, server, token: bob).expect(201)["location"])
        for token in [ada, eve, server.adminToken] {
          try await server.json("PATCH", url, edit, token: token).expect(403, problem: "forbidden")
        }
        try await server.json("PATCH", url, edit).expect(401)
        try await server.delete(url, token: deleter).expect(status)
        try await server.get(url).expect(status == 204 ? 410 : 200)
      }
      #expect(try await count(server, meme) == 2)
      // Only an admin's deletion of another person's comment is audited.
      let log = try await server.get("/admin/audit", token: server.adminToken).json.items.elements
      #expect(log.map(\.act.text) == ["delete-comment"])
      try await server.give("admin", to: "eve")
      try await server.delete(
        try #require(try await write("eve's", on: meme, server, token: eve)["location"]), token: eve
      ).expect(204)
      #expect(
        try await server.get("/admin/audit", token: server.adminToken).json.items.elements
          .count { $0.act.text == "delete-comment" } == 1)
    }
  }

  @Test func `comments are listed newest or oldest first, in pages`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let (meme, other) = (try await server.make(token: ada), try await server.make(token: ada))
      let written = (0..<7).map { "comment \($0)" }
      for (number, text) in written.enumerated() {
        let token = number.isMultiple(of: 2) ? ada : bob
        try await write(text, on: meme, server, token: token).expect(201)
        try await write("elsewhere", on: other, server, token: token).expect(201)
      }
      for limit in [1, 2, 7, 100] {
        for token in [nil, bob] {
          #expect(
            try await texts(server, meme, "?limit=\(limit)", token: token)
              == Array(written.reversed()))
          #expect(
            try await texts(server, meme, "?sort=oldest&limit=\(limit)", token: token) == written)
        }
      }
      // A comment posted between two page requests shifts nothing.
      let page = try await server.get("\(meme)/comments?sort=oldest&limit=3").expect(200).json
      try await write("later", on: meme, server, token: ada).expect(201)
      let cursor = try #require(page.nextCursor.text)
      #expect(
        try await texts(server, meme, "?sort=oldest&cursor=\(cursor)")
          == written.dropFirst(3) + ["later"])
      try await server.get("\(meme)/comments?sort=best&limit=0&q=x").expect(
        422, fields: ["sort not-allowed", "limit out-of-range", "q unknown-field"])
      try await server.get("\(meme)/comments?cursor=x").expect(400, problem: "invalid-cursor")
      let first = try await server.get("\(meme)/comments")
      try await server.send(
        "GET", "\(meme)/comments", headers: [("If-None-Match", try #require(first["etag"]))]
      ).expect(304)
    }
  }

  @Test(arguments: [
    ("{}", ["text missing"]), (#"{"text": null}"#, ["text missing"]),
    (#"{"text": ""}"#, ["text empty"]), (#"{"text": " \n\u00a0"}"#, ["text empty"]),
    (#"{"text": 1}"#, ["text not-a-text"]), (#"{"text": "a\u0000b"}"#, ["text nul"]),
    (#"{"text": "x", "id": "x"}"#, ["id unknown-field"]),
  ])
  func `invalid comment fields are named`(_ body: String, _ fields: [String]) async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      let url = try #require(try await write("x", on: meme, server, token: ada)["location"])
      for (method, target) in [("POST", "\(meme)/comments"), ("PATCH", url)] {
        try await server.json(method, target, body, token: ada)
          .expect(422, problem: "invalid-input", fields: fields)
      }
      #expect(try await count(server, meme) == 1)
    }
  }

  @Test func `a comment has at most 1000 characters and 16 KiB`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      for character in ["x", "猫", "e\u{301}\u{323}\u{302}", "🏳️‍🌈"] {
        let full = String(repeating: character, count: 1000)
        let fits = full.utf8.count <= 16_384
        try await write(full, on: meme, server, token: ada).expect(fits ? 201 : 422)
        try await write(full + character, on: meme, server, token: ada)
          .expect(422, fields: ["text too-long"])
      }
      // A thousand characters, all written as JSON escapes.
      let escaped = String(repeating: #"\ud83d\ude3a"#, count: 1000)
      try await server.json("POST", "\(meme)/comments", #"{"text":"\#(escaped)"}"#, token: ada)
        .expect(201)
      try await server.send(
        "POST", "\(meme)/comments",
        headers: [("Authorization", "Bearer \(ada)"), ("Content-Type", "application/json")],
        body: Array(#"{"text":""#.utf8) + [0xFF] + Array("\"}".utf8)
      ).expect(400, problem: "malformed-request")
      try await server.send(
        "POST", "\(meme)/comments",
        headers: [("Authorization", "Bearer \(ada)"), ("Content-Type", "text/plain")],
        body: Array("{}".utf8)
      ).expect(415)
    }
  }

  @Test func `edits and deletions honor If-Match`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      let created = try await write("one", on: meme, server, token: ada).expect(201)
      let (url, old) = (try #require(created["location"]), try #require(created["etag"]))
      func change(_ method: String, _ tag: String, _ text: String = "x") async throws -> Answer {
        try await server.json(
          method, url, method == "PATCH" ? #"{"text":"\#(text)"}"# : "", token: ada,
          headers: [("If-Match", tag)])
      }
      let edited = try await change("PATCH", old, "two").expect(200)
      try await change("PATCH", old, "three").expect(412, problem: "precondition-failed")
      for tag in [old, "\"9\"", "W/\"2\""] {
        try await server.send(
          "DELETE", url, headers: [("Authorization", "Bearer \(ada)"), ("If-Match", tag)]
        ).expect(412)
      }
      #expect(try await server.get(url).json["text"].text == "two")
      try await change("PATCH", "\"2\"", "three").expect(200)
      #expect(edited["etag"] != old)
      try await server.send(
        "DELETE", url, headers: [("Authorization", "Bearer \(ada)"), ("If-Match", "*")]
      ).expect(204)
    }
  }

  @Test func `repeated requests with one idempotency key make one comment`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      let first = try await write("once", on: meme, server, token: bob, key: "k").expect(201)
      for _ in 0..<2 {
        let again = try await write("once", on: meme, server, token: bob, key: "k").expect(201)
        #expect(again["idempotent-replayed"] == "true")
        #expect(again.response.body == first.response.body && again["etag"] == first["etag"])
        #expect(again["location"] == first["location"])
      }
      try await write("twice", on: meme, server, token: bob, key: "k")
        .expect(422, problem: "idempotency-key-reused")
      // The same key from another person is independent.
      try await write("once", on: meme, server, token: ada, key: "k").expect(201)
      #expect(try await count(server, meme) == 2)
      // A late retry does not bring back a comment deleted since.
      try await server.delete(try #require(first["location"]), token: bob).expect(204)
      let late = try await write("once", on: meme, server, token: bob, key: "k").expect(201)
      #expect(late["idempotent-replayed"] == "true")
      #expect(try await count(server, meme) == 1)
    }
  }

  @Test func `blocked people's comments are neither listed nor counted for each other`()
    async throws
  {
    try await withServer { server in
      let (bob, mal) = (try await server.signUp("bob"), try await server.signUp("mal"))
      let meme = try await server.make(token: try await server.signUp("zoe"))
      let bobs = try #require(
        try await write("bob's", on: meme, server, token: bob).expect(201)["location"])
      let mals = try #require(
        try await write("mal's", on: meme, server, token: mal).expect(201)["location"])
      try await server.put("/users/mal/block", token: bob).expect(204)
      for (token, seen, hidden, text) in [
        (bob, bobs, mals, "bob's"), (mal, mals, bobs, "mal's"),
      ] {
        #expect(try await count(server, meme, token: token) == 1)
        #expect(try await texts(server, meme, token: token) == [text])
        #expect(try await texts(server, meme, "?sort=oldest", token: token) == [text])
        try await server.get(seen, token: token).expect(200)
        try await server.get(hidden, token: token).expect(404, problem: "not-found")
        try await server.json("PATCH", hidden, #"{"text":"x"}"#, token: token).expect(404)
        try await server.delete(hidden, token: token).expect(404)
      }
      for token in [nil, server.adminToken] {
        #expect(try await count(server, meme, token: token) == 2)
        #expect(try await texts(server, meme, token: token) == ["mal's", "bob's"])
      }
      // A viewer who could not see the comment gets 404 for the deleted comment, not 410.
      try await server.delete(mals, token: mal).expect(204)
      try await server.get(mals, token: bob).expect(404)
      try await server.get(mals, token: mal).expect(410)
      #expect(try await count(server, meme, token: bob) == 1)
      try await server.delete("/users/mal/block", token: bob).expect(204)
      #expect(try await texts(server, meme, token: mal) == ["bob's"])
    }
  }

  @Test func `an author sees and deletes the comments of people who block the author`() async throws
  {
    try await withServer { server in
      let (ada, mal) = (try await server.signUp("ada"), try await server.signUp("mal"))
      let bob = try await server.signUp("bob")
      let meme = try await server.make(token: ada)
      let mals = try #require(
        try await write("mal's", on: meme, server, token: mal).expect(201)["location"])
      _ = try await write("bob's", on: meme, server, token: bob).expect(201)
      try await server.put("/users/ada/block", token: mal).expect(204)
      #expect(try await texts(server, meme, token: ada) == ["bob's", "mal's"])
      #expect(try await count(server, meme, token: ada) == 2)
      try await server.get("/users/mal", token: ada).expect(404)
      // The author does not want to see these.
      try await server.put("/users/bob/block", token: ada).expect(204)
      #expect(try await texts(server, meme, token: ada) == ["mal's"])
      #expect(try await count(server, meme, token: ada) == 1)
      // With more blocks than comments, the count goes through the comments, and not through the blocks.
      for name in ["eve", "joe", "zoe"] {
        try await server.put("/users/ada/block", token: try await server.signUp(name)).expect(204)
      }
      #expect(try await count(server, meme, token: ada) == 1)
      #expect(try await count(server, meme) == 2)
      try await server.json("POST", "\(mals)/reports", #"{"reason":"spam"}"#, token: ada)
        .expect(201)
      try await server.delete(mals, token: ada).expect(204)
      #expect(try await texts(server, meme) == ["bob's"])
    }
  }

  @Test func `hiding a meme hides its comments, and showing it restores them`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      let url = try #require(
        try await write("bob's", on: meme, server, token: bob).expect(201)["location"])
      try await server.json("PATCH", meme, #"{"visibility":"private"}"#, token: ada).expect(200)
      for target in ["\(meme)/comments", url] {
        try await server.get(target, token: bob).expect(404, problem: "not-found")
        try await server.get(target).expect(404)
        try await server.get(target, token: ada).expect(200)
      }
      try await write("again", on: meme, server, token: bob).expect(404)
      try await server.json("PATCH", meme, #"{"visibility":"public"}"#, token: ada).expect(200)
      try await server.delete(meme, token: ada).expect(204)
      for target in ["\(meme)/comments", url] {
        try await server.get(target, token: bob).expect(410, problem: "gone")
      }
      try await write("again", on: meme, server, token: bob).expect(410)
      try await server.delete(url, token: bob).expect(410)
      try await server.restore(meme, token: ada).expect(200)
      #expect(try await texts(server, meme) == ["bob's"])
      #expect(try await count(server, meme) == 1)
      try await server.get("/comments/x").expect(404)
      try await server.get("/memes/x/comments").expect(404)
    }
  }

  @Test func `comment counts stay exact under concurrent writes and deletions`() async throws {
    try await withServer { server in
      let meme = try await server.make()
      let people = try await (0..<10).map { "person\($0)" }.asyncMap { try await server.signUp($0) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<50 {
          let token = people[client % people.count]
          group.addTask {
            let one = try await write("one \(client)", on: meme, server, token: token).expect(201)
            try await write("two \(client)", on: meme, server, token: token).expect(201)
            for _ in 0..<2 { _ = try await server.delete(one["location"] ?? "", token: token) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await count(server, meme) == 50)
      #expect(Set(try await texts(server, meme)) == Set((0..<50).map { "two \($0)" }))
    }
  }

  @Test func `deleting an account deletes its comments`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: bob)
      let url = try #require(
        try await write("canary", on: meme, server, token: ada, key: "k").expect(201)["location"])
      try await write("bob's", on: meme, server, token: bob).expect(201)
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: ada
      ).expect(204)
      #expect(try await texts(server, meme) == ["bob's"])
      #expect(try await count(server, meme) == 1)
      try await server.get(url).expect(404)
      let statistics = try await server.get("/admin/stats", token: server.adminToken).json
      #expect(statistics.comments.int == 1)
    }
  }
}
