import Foundation
import Memes
import Support
import Synchronization
import Testing
import Wire
import mememe

struct BulkDeletionTests {
  /// 2026-11-21T08:00:00Z.
  private static let start: Int64 = 1_795_248_000_000

  /// Calls `body` with a server and the URLs of `count` memes, created one hour apart.
  private func withMemes(
    _ count: Int, trashDays: Int = 7, _ body: (TestServer, [String]) async throws -> Void
  ) async throws {
    let hours = Mutex<Int64>(0)
    try await withServer(
      now: {
        Timestamp(millisecondsSince1970: Self.start + hours.withLock { $0 } * 3_600_000)
      }, { $0.trashDays = trashDays }
    ) { server in
      var urls: [String] = []
      for _ in 0..<count {
        urls.append(try #require(try await server.upload().expect(201)["location"]))
        hours.withLock { $0 += 1 }
      }
      try await body(server, urls)
    }
  }

  private func delete(_ server: TestServer, _ query: String) async throws -> Answer {
    try await server.delete("/memes?\(query)", token: server.adminToken)
  }

  @Test func `memes of a time range go to the trash, with one audit entry`() async throws {
    try await withMemes(5) { server, urls in
      // Requested without a token, so that the response is cached.
      #expect(try await server.get("/memes").json.items.elements.count == 5)
      let stretch = "after=2026-11-21T09:00:00Z&before=2026-11-21T12:00:00%2B01:00"
      let dry = try await delete(server, "\(stretch)&dryRun=true").expect(200)
      #expect(dry.json.count.int == 2)
      #expect(try await server.get("/memes").json.items.elements.count == 5)
      #expect(try await server.acts().isEmpty)

      #expect(try await delete(server, stretch).expect(200).json.count.int == 2)
      let left = try await server.get("/memes").expect(200).json.items.elements
      #expect(left.compactMap(\.id.text) == [4, 3, 0].map { String(urls[$0].suffix(36)) })
      for index in [1, 2] {
        try await server.get(urls[index]).expect(410, problem: "gone")
        try await server.get("\(urls[index])/image").expect(410, problem: "gone")
      }
      #expect(try await delete(server, stretch).expect(200).json.count.int == 0)
      let acts = try await server.get("/admin/audit", token: server.adminToken).json.items.elements
      #expect(acts.map(\.details.count.int) == [0, 2])
      #expect(acts.last?.details.after.text == "2026-11-21T09:00:00.000Z")
      #expect(acts.last?.details.before.text == "2026-11-21T11:00:00.000Z")
      // Admins can restore each meme as usual.
      try await server.restore(urls[1], token: server.adminToken).expect(200)
      #expect(try await server.get("/memes").json.items.elements.count == 4)
    }
  }

  @Test func `a missing or invalid filter deletes nothing`() async throws {
    try await withMemes(1) { server, urls in
      for query in ["", "dryRun=true", "dryRun=false"] {
        try await delete(server, query)
          .expect(422, problem: "invalid-input", fields: ["filter missing"])
      }
      try await delete(server, "before=yesterday&after=&dryRun=yes&author=a!&anonymous=no").expect(
        422, problem: "invalid-input",
        fields: [
          "dryRun not-allowed", "after invalid-time", "before invalid-time",
          "author invalid-username", "anonymous not-allowed",
        ])
      try await delete(server, "author=ada&anonymous=true")
        .expect(422, problem: "invalid-input", fields: ["anonymous not-together"])
      try await delete(server, "before=2030-01-01T00:00:00Z&before=2000-01-01T00:00:00Z")
        .expect(422, problem: "invalid-input", fields: ["before duplicate"])
      try await server.get(urls[0]).expect(200)
      #expect(try await server.acts().isEmpty)
    }
  }

  @Test func `memes are deleted by author, whatever their visibility, or if anonymous`()
    async throws
  {
    try await withMemes(2) { server, urls in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      for visibility in ["public", "friends", "private", "private"] {
        _ = try await server.make(visibility, token: ada)
      }
      let kept = try await server.make(token: bob)
      func count(_ query: String) async throws -> Int? {
        try await delete(server, query).expect(200).json.count.int
      }
      for _ in 0..<2 { #expect(try await count("author=Ada&dryRun=true") == 4) }
      #expect(try await count("author=ada&before=2001-01-01T00:00:00Z") == 0)
      #expect(try await count("author=ada") == 4)
      #expect(try await server.get("/memes?author=me", token: ada).json.items.elements.isEmpty)
      #expect(try await server.get("/users/ada").json.counts.memes.int == 0)
      #expect(try await count("anonymous=true&after=2026-11-21T08:30:00Z") == 1)
      #expect(try await count("anonymous=true") == 1)
      #expect(
        try await server.get("/memes").json.items.elements.compactMap(\.id.text)
          == [String(kept.suffix(36))])
      let acts = try await server.get("/admin/audit", token: server.adminToken).json.items.elements
      #expect(acts.first?.details.anonymous.flag == true && acts[2].details.author.text == "ada")
    }
  }

  @Test func `an author without an account is an error, and leaves no audit entry`() async throws {
    try await withMemes(1) { server, urls in
      _ = try await server.signUp("ada")
      for rest in ["", "&dryRun=true", "&before=2030-01-01T00:00:00Z"] {
        try await delete(server, "author=adda\(rest)")
          .expect(422, problem: "invalid-input", fields: ["author unknown-user"])
      }
      #expect(try await server.acts().isEmpty)
      // This account has no memes.
      #expect(try await delete(server, "author=ada").expect(200).json.count.int == 0)
      try await server.get(urls[0]).expect(200)
    }
  }

  @Test func `without a trash, bulk deletion is permanent`() async throws {
    try await withMemes(2, trashDays: 0) { server, urls in
      #expect(
        try await delete(server, "after=2000-01-01T00:00:00Z").expect(200).json.count.int == 2)
      for url in urls {
        try await server.restore(url, token: server.adminToken).expect(410, problem: "gone")
      }
      let figures = try await server.get("/admin/stats", token: server.adminToken).json
      #expect(figures.deletedMemes.int == 0)
      #expect(figures.bytes.originals.int == 0)
    }
  }
}
