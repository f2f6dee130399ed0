import Bytes
import Foundation
import HTTP
import Memes
import Support
import Testing

@testable import API

/// The list of changes to one's own memes.
struct SyncTests {
  @Test func `a new client gets all memes, and then only changes`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let start = try await server.changes(token: ada)
      #expect(start.changes == [] && !start.hasMore)
      let memes = try await ["0", "1", "2"].asyncMap { try await server.make(top: $0, token: ada) }
      let first = try await server.changes(limit: 2, token: ada)
      #expect(first.changes == memes.prefix(2).map { "upsert \($0) 1" } && first.hasMore)
      let second = try await server.changes(since: first.cursor, limit: 2, token: ada)
      #expect(second.changes == ["upsert \(memes[2]) 1"] && !second.hasMore)

      try await server.patch(memes[1], #"{"top":"new"}"#, token: ada).expect(200)
      try await server.delete(memes[0], token: ada).expect(204)
      try await server.patch(memes[1], #"{"visibility":"private"}"#, token: ada).expect(200)
      // From the same position, twice.
      for _ in 0..<2 {
        let page = try await server.changes(since: second.cursor, token: ada)
        #expect(page.changes == ["delete \(memes[0])", "upsert \(memes[1]) 3"] && !page.hasMore)
      }
      try await server.restore(memes[0], token: ada).expect(200)
      let last = try await server.changes(since: start.cursor, token: ada)
      #expect(
        last.changes == ["upsert \(memes[2]) 1", "upsert \(memes[1]) 3", "upsert \(memes[0]) 1"])
      let none = try await server.changes(since: last.cursor, token: ada)
      #expect(none.changes == [] && none.cursor == last.cursor && !none.hasMore)
    }
  }

  @Test func `an upsert has the current meme and is not cacheable`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make("private", top: "mine 🐈", token: ada)
      let answer = try await server.get("/memes/changes", token: ada).expect(200)
      #expect(answer["cache-control"] == "no-store" && answer["etag"] == nil)
      let detail = try await server.get(meme, token: ada).expect(200)
      #expect(answer.json.changes[0].meme == detail.json)
    }
  }

  @Test func `a claimed meme is a change for its new owner, and others' memes are not`()
    async throws
  {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let start = try await server.changes(token: ada)
      let made = try await server.upload().expect(201).json
      let meme = "/memes/\(try #require(made.id.text))"
      #expect(try await server.changes(since: start.cursor, token: ada).changes == [])
      let token = try #require(made.deleteToken.text)
      try await server.json(
        "POST", "\(meme)/claim", #"{"deleteToken":"\#(token)"}"#, token: ada
      ).expect(200)
      #expect(
        try await server.changes(since: start.cursor, token: ada).changes == ["upsert \(meme) 1"])
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.get("/memes/changes", token: bob).expect(200, lacking: [meme, "upsert"])
    }
  }

  @Test func `likes, comments, shares and a new display name are not changes`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      let start = try await server.changes(token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.put("\(meme)/favorite", token: ada).expect(204)
      try await server.json("POST", "\(meme)/comments", #"{"text":"x"}"#, token: bob).expect(201)
      try await server.json("POST", "\(meme)/shares", #"{"channel":"link"}"#).expect(204)
      try await server.json("PATCH", "/users/me", #"{"displayName":"Ada"}"#, token: ada).expect(200)
      try await server.patch(meme, #"{"top":"x"}"#, token: ada).expect(200)
      let page = try await server.changes(since: start.cursor, token: ada)
      #expect(page.changes == [])
    }
  }

  @Test func `a new client is not sent earlier deletions`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let memes = try await ["0", "1", "2"].asyncMap { try await server.make(top: $0, token: ada) }
      try await server.delete(memes[1], token: ada).expect(204)
      let first = try await server.changes(limit: 1, token: ada)
      #expect(first.changes == ["upsert \(memes[0]) 1"] && first.hasMore)
      // A meme that is deleted between two pages may already be known to the client.
      try await server.delete(memes[0], token: ada).expect(204)
      let second = try await server.changes(since: first.cursor, token: ada)
      #expect(second.changes == ["upsert \(memes[2]) 1", "delete \(memes[0])"])
    }
  }

  @Test func `a cursor belongs to one person and one database, and forged ones are rejected`()
    async throws
  {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      _ = try await server.make(token: ada)
      let cursor = try await server.changes(token: ada).cursor
      try await server.get("/memes/changes?since=\(cursor)", token: bob)
        .expect(410, problem: "cursor-expired")
      let list =
        try await server.get("/memes?limit=1", token: ada).json.nextCursor.text ?? "AQAAAAAAAAAp"
      let negative = cursor.prefix(18) + "ff" + cursor.dropFirst(20)
      for garbage in [
        "x", "0", list, cursor + "0", String(cursor.dropLast()), String(cursor.dropLast(2)),
        cursor.uppercased(), "06" + cursor.dropFirst(2), cursor + "00",
        String(repeating: "g", count: cursor.count), String(negative), "%00",
      ] where garbage != cursor {
        try await server.get("/memes/changes?since=\(garbage)", token: ada)
          .expect(400, problem: garbage == "%00" ? nil : "invalid-cursor")
      }
      // A number that the server never assigned.
      let later = String(cursor.prefix(18)) + "00000000000000ff" + cursor.suffix(16)
      try await server.get("/memes/changes?since=\(later)", token: ada)
        .expect(410, problem: "cursor-expired")
      try await server.get("/memes/changes?since=&limit=0&wait=56&cursor=x", token: ada).expect(
        422, fields: ["limit out-of-range", "wait out-of-range", "cursor unknown-field"])
      for wait in ["-1", "1.5", "x", "99999999999999999999"] {
        try await server.get("/memes/changes?wait=\(wait)", token: ada)
          .expect(422, problem: "invalid-input")
      }
    }
    // A cursor of another database.
    var cursors: [String] = []
    for _ in 0..<2 {
      try await withServer { server in
        let ada = try await server.signUp("ada")
        if let old = cursors.first {
          try await server.get("/memes/changes?since=\(old)", token: ada)
            .expect(410, problem: "cursor-expired")
        }
        cursors.append(try await server.changes(token: ada).cursor)
      }
    }
  }

  @Test func `a page over the byte limit ends early, with a cursor to continue`() throws {
    let start = SyncPosition(epoch: 7, number: 3, floor: 9)
    let changes = (4...6).map { number in
      SyncChange(number: number, .delete(MemeID(UUID()), at: Timestamp(millisecondsSince1970: 5)))
    }
    for (maximumBytes, told) in [(1, 1), (120, 2), (1000, 3)] {
      for hasMore in [false, true] {
        var writer = JSONWriter()
        let page = SyncPage(changes: changes, start: start, hasMore: hasMore)
        SyncJSON(basePath: "").write(
          page, for: .anonymous, maximumBytes: maximumBytes, to: &writer)
        let json = try JSON(parsing: Array(writer.finish().utf8Text?.utf8 ?? "".utf8))
        #expect(json.changes.elements.count == told)
        #expect(json.hasMore.flag == (hasMore || told < 3))
        let end = try SyncCursor.decode(try #require(json.cursor.text))
        #expect(end == start.after(changes[told - 1]))
      }
    }
  }
}
