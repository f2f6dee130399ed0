import Foundation
import Support
import Testing
import Wire
import mememe

/// `/templates`: pictures that everyone can make memes of.
struct TemplateTests {
  @Test func `everyone sees a template, and only its creator gets a delete token`() async throws {
    try await withServer { server in
      let created = try await server.keepTemplate(name: "Überraschte Katze 🐈").expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      #expect(created.json.deleteToken.text == token)
      #expect(created["cache-control"] == "no-store")
      let shown = try await server.get(url).expect(200, lacking: [token])
      let template = shown.json
      #expect(template.name.text == "Überraschte Katze 🐈")
      #expect(template.altText.text == template.name.text)
      #expect(template.image.mediaType.text == "image/jpeg")
      #expect([template.image.width.int, template.image.height.int] == [640, 480])
      #expect([template.thumbnail.width.int, template.thumbnail.height.int] == [512, 384])
      let again = try await server.send(
        "GET", url, headers: [("If-None-Match", shown["etag"] ?? "")])
      again.expect(304)
      let list = try await server.get("/templates").expect(200)
      #expect(list.json.items.elements == [template])
      #expect(list.json.nextCursor == .null)
      let described = try await server.keepTemplate(
        name: "x", [.field("altText", "a cat, looking up")], token: server.adminToken
      ).expect(201)
      #expect(described.json.altText.text == "a cat, looking up")
      #expect(described["meme-delete-token"] == nil && described.json.deleteToken == .null)
    }
  }

  @Test func `template pictures are immutable and support ranges`() async throws {
    try await withServer { server in
      let template = try await server.keepTemplate().expect(201).json
      for place in [template.image, template.thumbnail] {
        let url = try #require(place.url.text)
        let whole = try await server.get(url).expect(200)
        #expect(whole["content-type"] == "image/jpeg")
        #expect(whole["cache-control"]?.contains("immutable") == true)
        let tag = try #require(whole["etag"])
        try await server.send("GET", url, headers: [("If-None-Match", tag)]).expect(304)
        let part = try await server.send("GET", url, headers: [("Range", "bytes=10-19")]).expect(
          206)
        #expect(part.response.body == Array(whole.response.body[10...19]))
        let head = try await server.send("HEAD", url).expect(200)
        #expect(head.response.body.isEmpty && head["etag"] == tag)
        #expect(head["content-length"] == "\(whole.response.body.count)")
      }
      #expect(
        try await server.get(template.image.url.text ?? "").response.body.count
          == template.image.bytes.int)
    }
  }

  @Test func `the template list is paginated despite concurrent changes`() async throws {
    try await withServer { server in
      var made: [String] = []
      for number in 0..<5 {
        let created = try await server.keepTemplate(.transparent, name: "\(number)").expect(201)
        made.append(try #require(created.json.id.text))
      }
      let first = try await server.get("/templates?limit=2").expect(200)
      #expect(first.json.items.elements.map(\.name.text) == ["4", "3"])
      let cursor = try #require(first.json.nextCursor.text)
      #expect(first["link"] == "</templates?limit=2&cursor=\(cursor)>; rel=\"next\"")
      try await server.delete("/templates/\(made[3])", token: server.adminToken).expect(204)
      try await server.keepTemplate(.transparent, name: "5").expect(201)
      let rest = try await server.get("/templates?limit=100&cursor=\(cursor)").expect(200)
      #expect(rest.json.items.elements.map(\.name.text) == ["2", "1", "0"])
      #expect(rest["link"] == nil)
      try await server.get("/templates?cursor=x").expect(400, problem: "invalid-cursor")
      try await server.get("/templates?limit=0&view=grid")
        .expect(422, fields: ["limit out-of-range", "view unknown-field"])
    }
  }

  @Test func `only its creator and the admin can delete a template`() async throws {
    try await withServer { server in
      let created = try await server.keepTemplate().expect(201)
      let url = try #require(created["location"])
      let id = try #require(created.json.id.text)
      // A meme with the same id has another delete token.
      let meme = try await server.upload(.photo, ["id": id]).expect(201)
      let other = try await server.keepTemplate().expect(201)
      for token in [nil, meme["meme-delete-token"], other["meme-delete-token"], "x"] {
        try await server.delete(url, token: token).expect(401, problem: "unauthorized")
      }
      let token = try #require(created["meme-delete-token"])
      try await server.delete("/memes/\(id)", token: token).expect(401, problem: "unauthorized")
      try await server.delete(url, token: token).expect(204)
      for place in ["", "/image", "/thumbnail"] {
        try await server.get(url + place).expect(410, problem: "gone")
      }
      try await server.delete(url, token: server.adminToken).expect(410, problem: "gone")
      try await server.delete(try #require(other["location"]), token: server.adminToken).expect(204)
      #expect(try await server.get("/templates").json.items.elements.isEmpty)
      try await server.get("/templates/01234567-89ab-7def-8123-456789abcdef").expect(404)
      try await server.get("/templates/x").expect(404, problem: "not-found")
    }
  }

  @Test func `memes of a template equal those of its picture, and outlive it`() async throws {
    try await withServer { server in
      let template = try await server.keepTemplate().expect(201)
      let id = try #require(template.json.id.text)
      let kept = try await server.get("/templates/\(id)/image").response.body
      let fields: [FormBody.Part] = [.field("top", "so it begins"), .field("maxEdge", "300")]
      let made = try await server.post([.field("template", id)] + fields).expect(201)
      let plain = try await server.post([.file("image", kept)] + fields).expect(201)
      let url = try #require(made["location"])
      let token = try #require(made["meme-delete-token"])
      let image = try await server.get("\(url)/image").response.body
      #expect(try await server.get("\(plain["location"] ?? "")/image").response.body == image)
      for _ in 1...2 {
        let preview = try await server.post(
          to: "/memes/preview", [.field("template", id)] + fields
        ).expect(200)
        #expect(preview.response.body == image)
      }
      try await server.delete("/templates/\(id)", token: server.adminToken).expect(204)
      let original = try await server.get("\(url)/original", token: token).expect(200)
      #expect(original.response.body == kept)
      try await server.patch(url, #"{"top": "still there"}"#, token: token).expect(200)
      for target in ["/memes", "/memes/preview"] {
        try await server.post(to: target, [.field("template", id)])
          .expect(422, problem: "invalid-input", fields: ["template unknown-template"])
      }
      try await server.patch(url, #"{"template": "\#(id)"}"#, token: token)
        .expect(422, problem: "invalid-input", fields: ["template unknown-template"])
    }
  }

  @Test func `template pictures have no metadata of the upload`() async throws {
    try await withServer { server in
      let telling = TellingPicture.jpeg(try Fixture.photo.bytes, orientation: 6)
      let template = try await server.post(
        to: "/templates", [.file("image", telling), .field("name", "x")]
      ).expect(201).json
      #expect([template.image.width.int, template.image.height.int] == [480, 640])
      for place in [template.image, template.thumbnail] {
        try await server.get(place.url.text ?? "").expect(200, lacking: TellingPicture.secrets)
      }
    }
  }

  @Test(arguments: [
    (Fixture.moving, "image/gif"), (.transparent, "image/png"), (.cmyk, "image/jpeg"),
    (.transparentWebP, "image/png"), (.webp, "image/jpeg"),
  ])
  func `a template is stored in the format that preserves its picture best`(
    picture: Fixture, type: String
  ) async throws {
    try await withServer { server in
      let template = try await server.keepTemplate(picture).expect(201).json
      #expect(template.image.mediaType.text == type)
      let made = try await server.post([.field("template", template.id.text ?? "")]).expect(201)
      let plain = try await server.upload(picture).expect(201)
      #expect(made.json.image.mediaType == plain.json.image.mediaType)
    }
  }

  @Test func `a repeated request with its key gets the same response`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "k1")]
      let first = try await server.keepTemplate(name: "one", headers: key).expect(201)
      let again = try await server.keepTemplate(name: "one", headers: key).expect(201)
      #expect(again["idempotent-replayed"] == "true")
      #expect(again.json == first.json)
      #expect(again["meme-delete-token"] == first["meme-delete-token"])
      try await server.keepTemplate(name: "two", headers: key)
        .expect(422, problem: "idempotency-key-reused")
      #expect(try await server.get("/templates").json.items.elements.count == 1)
    }
  }

  @Test func `without anonymous access templates require a token`() async throws {
    try await withServer({ $0.anonymous = false }) { server in
      try await server.keepTemplate().expect(401, problem: "unauthorized")
      try await server.get("/templates").expect(401, problem: "unauthorized")
      try await server.keepTemplate(token: server.adminToken).expect(201)
    }
  }
}

extension TestServer {
  @discardableResult
  func keepTemplate(
    _ picture: Fixture = .photo, name: String = "a picture", _ fields: [FormBody.Part] = [],
    token: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await post(
      to: "/templates", [.file("image", try picture.bytes), .field("name", name)] + fields,
      token: token, headers: headers)
  }
}
