import Foundation
import Support
import Testing
import Wire

/// Memes with client-chosen ids.
struct ClientIDTests {
  private let id = "0123abcd-89ab-4def-8123-456789abcdef"

  @Test func `repeating an upload with the same id returns the same meme`() async throws {
    try await withServer { server in
      let first = try await server.upload(top: "x", ["id": id]).expect(201)
      #expect(first.json.id.text == id)
      let again = try await server.upload(top: "x", ["id": id]).expect(200)
      #expect(again.json.deleteToken == .null)
      #expect(again["meme-delete-token"] == nil)
      #expect(again["location"] == nil)
      let detail = try await server.get("/memes/\(id)").expect(200)
      #expect(again.response.body == detail.response.body)
      #expect(again["etag"] == detail["etag"])
      #expect(try await server.get("/memes").json.items.elements.count == 1)
    }
  }

  @Test func `ids ignore case and are returned in lowercase`() async throws {
    try await withServer { server in
      let first = try await server.upload(top: "x", ["id": id.uppercased()]).expect(201)
      #expect(first.json.id.text == id)
      #expect(first["location"] == "/memes/\(id)")
      try await server.upload(top: "x", ["id": id]).expect(200)
      try await server.upload(top: "x", ["id": id.uppercased()]).expect(200)
      try await server.upload(top: "y", ["id": id.uppercased()]).expect(409, problem: "id-taken")
    }
  }

  @Test func `a client id can be a UUID of any version`() async throws {
    try await withServer { server in
      for id in [
        "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
      ] {
        let meme = try await server.upload(.photo, ["id": id]).expect(201).json
        #expect(meme.id.text == id)
      }
    }
  }

  @Test func `an id with other content is rejected as taken`() async throws {
    try await withServer { server in
      let fields = ["id": id, "top": "x", "bottom": "z"]
      try await server.upload(.photo, fields).expect(201)
      for change in [
        ["top": "y"], ["bottom": ""], ["altText": "x"], ["fill": "#000000"],
        ["outline": "#ffffff"], ["maxEdge": "100"], ["format": "png"], ["outlineWidth": "0.2"],
        ["size": "0.2"], ["case": "typed"], ["align": "left"],
      ] {
        try await server.upload(.photo, fields.merging(change) { $1 })
          .expect(409, problem: "id-taken")
      }
      try await server.upload(.webp, fields).expect(409, problem: "id-taken")
      try await server.upload(.photo, fields).expect(200)
    }
  }

  @Test func `the Accept header is not part of the content`() async throws {
    try await withServer { server in
      try await server.upload(.photo, ["id": id]).expect(201)
      let picture = try await server.upload(.photo, ["id": id], headers: [("Accept", "image/*")])
      picture.expect(200)
      #expect(picture.response.body == (try await server.get("/memes/\(id)/image")).response.body)
    }
  }

  @Test func `the id of a deleted meme is gone for any content`() async throws {
    try await withServer { server in
      let first = try await server.upload(top: "x", ["id": id]).expect(201)
      try await server.delete("/memes/\(id)", token: first["meme-delete-token"]).expect(204)
      try await server.upload(top: "x", ["id": id]).expect(410, problem: "gone")
      try await server.upload(top: "y", ["id": id]).expect(410, problem: "gone")
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }

  @Test func `concurrent uploads with one id make one meme`() async throws {
    try await withServer { server in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 {
          group.addTask { try await server.upload(top: "x", ["id": id]).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200, 200, 200, 200, 200, 201])
    }
  }

  @Test func `one of two concurrent contents for an id wins`() async throws {
    try await withServer { server in
      async let left = server.upload(top: "x", ["id": id])
      async let right = server.upload(top: "y", ["id": id])
      let answers = try await [left, right]
      #expect(answers.map(\.status).sorted() == [201, 409])
      let kept = answers.first { $0.status == 201 }?.json.top.text
      #expect(try await server.get("/memes/\(id)").json.top.text == kept)
    }
  }

  @Test func `an idempotency key takes precedence over the id`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "k")]
      let first = try await server.upload(.photo, ["id": id], headers: key).expect(201)
      let again = try await server.upload(.photo, ["id": id], headers: key).expect(201)
      #expect(again.response.body == first.response.body)
      #expect(again["meme-delete-token"] == first["meme-delete-token"])
      // With another key it is another request, which finds the meme by its id and uses no key.
      let other = [("Idempotency-Key", "l")]
      let found = try await server.upload(.photo, ["id": id], headers: other).expect(200)
      #expect(found["meme-delete-token"] == nil)
      try await server.upload(top: "new", headers: other).expect(201)
      #expect(try await server.get("/memes").json.items.elements.count == 2)
    }
  }
}
