import Foundation
import Support
import Testing
import Wire
import mememe

/// Templates with boxes, tags and aliases, and memes from them.
struct TemplateBoxTests {
  private static let boxes = #"""
    [{"name": "Rejected", "text": "this", "x": 0.5, "y": 0, "width": 0.5, "height": 0.5, "rotation": -5,
    "fill": "#ff0000"}, {"text": "that", "x": 0.5, "y": 0.5, "width": 0.5, "height": 0.5, "case": "typed"}]
    """#

  private static let fields: [FormBody.Part] = [
    .field("boxes", boxes), .field("tags", "Choice, two"), .field("aliases", "two-panels,this"),
    .field("source", "https://example.org/panels"),
  ]

  @Test func `a template has boxes, tags, aliases and a source`() async throws {
    try await withServer { server in
      let created = try await server.keepTemplate(name: "Two panels", Self.fields).expect(201)
      let template = created.json
      #expect(template.boxes.elements.map(\.["name"]) == ["Rejected", .null])
      #expect(template.boxes.elements.map(\.["text"]) == ["this", "that"])
      #expect(template.boxes[0].rotation == -5 && template.boxes[0].fill == "#ff0000")
      #expect(template.boxes[0].case == .null && template.boxes[1].case == "typed")
      #expect(template.tags == ["choice", "two"])
      #expect(template.aliases == ["two-panels", "this"])
      #expect(template.source == "https://example.org/panels")
      let url = try #require(created["location"])
      let shown = try await server.get(url).expect(200)
      for alias in ["two-panels", "this"] {
        let found = try await server.get("/templates/\(alias)").expect(200)
        #expect(found.json == shown.json && found["etag"] == shown["etag"])
      }
      let plain = try await server.keepTemplate(name: "plain").expect(201).json
      #expect(plain.boxes == [] && plain.tags == [] && plain.aliases == [])
      #expect(plain.source == .null)
      try await server.get("/templates/nobody").expect(404, problem: "not-found")
      try await server.get("/templates/Two-Panels").expect(404, problem: "not-found")
    }
  }

  @Test func `a template is made from another one, with its boxes or with new ones`() async throws {
    try await withServer { server in
      let first = try await server.keepTemplate(name: "Two panels", Self.fields).expect(201)
      let (id, boxes) = (first.json.id.text ?? "", first.json.boxes)
      for source in [id, "two-panels"] {
        let copy = try await server.post(
          to: "/templates", [.field("template", source), .field("name", "copy")]
        ).expect(201)
        #expect(
          copy.json.boxes == boxes && copy.json.aliases == [] && copy.json.id != first.json.id)
        #expect(copy.json.image.width == first.json.image.width)
      }
      // A repeated request gets the first response, also if its source no longer exists.
      let copying: [FormBody.Part] = [.field("template", "two-panels"), .field("name", "again")]
      let made = try await server.post(
        to: "/templates", copying, headers: [("Idempotency-Key", "copy")]
      ).expect(201)
      try await server.patch(
        first["location"] ?? "", #"{"aliases": []}"#, token: first["meme-delete-token"]
      ).expect(200)
      let again = try await server.post(
        to: "/templates", copying, headers: [("Idempotency-Key", "copy")]
      ).expect(201)
      #expect(again.json.id == made.json.id)
      let one = #"[{"text": "x", "x": 0, "y": 0, "width": 1, "height": 1}]"#
      let other = try await server.post(
        to: "/templates", [.field("template", id), .field("name", "other"), .field("boxes", one)]
      ).expect(201)
      #expect(other.json.boxes.elements.map(\.["text"]) == ["x"])
      for boxes in [[], [FormBody.Part.field("boxes", one)]] {
        try await server.post(
          to: "/templates", [.field("template", "nobody"), .field("name", "x")] + boxes
        ).expect(422, problem: "invalid-input", fields: ["template unknown-template"])
      }
    }
  }

  @Test func `texts fill the boxes in their order`() async throws {
    try await withServer { server in
      let id = try await server.keepTemplate(name: "x", Self.fields).expect(201).json.id.text ?? ""
      let picture = FormBody.Part.field("template", id)
      let meme = try await server.post([picture, .field("texts", #"["tests", "no tests"]"#)])
        .expect(201)
      let captions = meme.json.captions
      #expect(captions.elements.map(\.["text"]) == ["tests", "no tests"])
      #expect(captions[0].fill == "#ff0000" && captions[1].case == "typed")
      #expect(meme.json.top == "" && meme.json.bottom == "")
      let written = try await server.post([
        picture,
        .field(
          "captions",
          #"""
          [{"text": "tests", "x": 0.5, "y": 0, "width": 0.5, "height": 0.5, "rotation": -5, "fill": "#ff0000"},
          {"text": "no tests", "x": 0.5, "y": 0.5, "width": 0.5, "height": 0.5, "case": "typed"}]
          """#),
      ])
      .expect(201)
      #expect(written.json.image.bytes == meme.json.image.bytes)
      let preview = try await server.post(
        to: "/memes/preview", [picture, .field("texts", #"["tests", "no tests"]"#)]
      ).expect(200)
      let image = try await server.get(meme.json.image.url.text ?? "").expect(200)
      #expect(preview.response.body == image.response.body)
      let one = try await server.post([picture, .field("texts", #"["tests"]"#)]).expect(201)
      #expect(one.json.captions.elements.map(\.["text"]) == ["tests", ""])
      // The author's style is kept, and top and bottom still are what they were.
      let old = try await server.post([picture, .field("top", "x")]).expect(201)
      #expect(old.json.captions == [] && old.json.top == "x")
    }
  }

  @Test func `without boxes, texts are at the top and at the bottom`() async throws {
    try await withServer { server in
      let id = try await server.keepTemplate().expect(201).json.id.text ?? ""
      for picture in [
        FormBody.Part.field("template", id), .file("image", try Fixture.photo.bytes),
      ] {
        let meme = try await server.post([picture, .field("texts", #"["up", "down"]"#)])
          .expect(201)
        #expect(meme.json.top == "up" && meme.json.bottom == "down")
        #expect(meme.json.captions == [])
        try await server.post([picture, .field("texts", #"["1", "2", "3"]"#)])
          .expect(422, fields: ["texts too-many"])
      }
    }
  }

  @Test(arguments: [
    (#"["a"]"#, ["top": "x"], "texts not-together"),
    (#"["a"]"#, ["captions": "[]"], "texts not-together"),
    ("a", [:], "texts not-json"), (#""a""#, [:], "texts not-an-array"),
    (#"["a", 7]"#, [:], "texts[1] not-a-text"), (#"["a\u0000"]"#, [:], "texts nul"),
    (#"["1", "2", "3"]"#, [:], "texts too-many"),
    (#"["a"]"#, ["layout": "bar"], "texts not-together"),
  ])
  func `texts are as restricted as captions`(
    texts: String, more: [String: String], wanted: String
  ) async throws {
    try await withServer { server in
      let id = try await server.keepTemplate(name: "x", Self.fields).expect(201).json.id.text ?? ""
      let fields = more.map { FormBody.Part.field($0.key, $0.value) }
      for target in ["/memes", "/memes/preview"] {
        let answer = try await server.post(
          to: target, [.field("template", id), .field("texts", texts)] + fields)
        answer.expect(422, problem: "invalid-input", fields: [wanted])
      }
    }
  }

  @Test func `an alias names the template of a meme, and may then name another`() async throws {
    try await withServer { server in
      let template = try await server.keepTemplate(name: "x", Self.fields).expect(201)
      let id = "01234567-89ab-7def-8123-456789abcdef"
      let texts = FormBody.Part.field("texts", #"["a", "b"]"#)
      let fields: [FormBody.Part] = [.field("template", "two-panels"), texts, .field("id", id)]
      let first = try await server.post(fields).expect(201)
      #expect(first.json.captions[0].fill == "#ff0000")
      let byID = FormBody.Part.field("template", template.json.id.text ?? "")
      let preview = try await server.post(to: "/memes/preview", [fields[0], texts]).expect(200)
      let same = try await server.post(to: "/memes/preview", [byID, texts]).expect(200)
      #expect(preview.response.body == same.response.body)
      let (token, url) = (template["meme-delete-token"], template["location"] ?? "")

      let plain = try await server.upload(.moving).expect(201)
      let edited = try await server.patch(
        plain["location"] ?? "", #"{"template": "this"}"#, token: plain["meme-delete-token"]
      ).expect(200)
      #expect(edited.json.original.bytes == template.json.image.bytes)

      try await server.patch(url, #"{"aliases": ["this"]}"#, token: token).expect(200)
      try await server.post([fields[0], texts])
        .expect(422, problem: "invalid-input", fields: ["template unknown-template"])
      try await server.patch(
        plain["location"] ?? "", #"{"template": "two-panels"}"#, token: plain["meme-delete-token"]
      ).expect(422, problem: "invalid-input", fields: ["template unknown-template"])
      // The same request again.
      #expect(try await server.post(fields).expect(200).json.id.text == id)
    }
  }

  @Test func `a repeated meme with texts is recognized after the template changed`() async throws {
    try await withServer { server in
      let template = try await server.keepTemplate(name: "x", Self.fields).expect(201)
      let fields: [FormBody.Part] = [
        .field("template", template.json.id.text ?? ""), .field("texts", #"["a", "b"]"#),
        .field("id", "01234567-89ab-7def-8123-456789abcdef"),
      ]
      let first = try await server.post(fields).expect(201)
      try await server.patch(
        template["location"] ?? "", #"{"boxes": []}"#, token: template["meme-delete-token"]
      ).expect(200)
      let again = try await server.post(fields).expect(200)
      #expect(again.json.captions == first.json.captions)
      let other = [fields[0], FormBody.Part.field("texts", #"["a", "c"]"#), fields[2]]
      try await server.post(other).expect(409, problem: "id-taken")
    }
  }

  @Test func `its author and the admin change a template`() async throws {
    try await withServer { server in
      let created = try await server.keepTemplate(name: "Two panels", Self.fields).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      let before = try await server.get(url)
      for other in [nil, "x"] {
        try await server.patch(url, #"{"name": "x"}"#, token: other).expect(401)
      }
      let changed = try await server.patch(
        url, #"{"name": "Three", "tags": ["new"], "aliases": null, "source": null}"#, token: token
      ).expect(200)
      #expect(changed.json.name == "Three" && changed.json.tags == ["new"])
      // The alternative text was the name, so it follows.
      #expect(changed.json.altText == "Three")
      #expect(changed.json.aliases == [] && changed.json.source == .null)
      #expect(changed.json.boxes == before.json.boxes)
      try await server.get("/templates/two-panels").expect(404)
      #expect(changed["etag"] != before["etag"])
      let stale = [("If-Match", before["etag"] ?? "")]
      try await server.patch(url, #"{"name": "x"}"#, token: token, headers: stale)
        .expect(412, problem: "precondition-failed")
      let fresh = [("If-Match", changed["etag"] ?? "")]
      let again = try await server.patch(url, #"{"name": "Four"}"#, token: token, headers: fresh)
        .expect(200)
      try await server.send("DELETE", url, headers: [("Authorization", "Bearer \(token)")] + stale)
        .expect(412, problem: "precondition-failed")
      // Nothing changes, so the version stays.
      let same = try await server.patch(url, #"{"name": "Four"}"#, token: token).expect(200)
      #expect(same["etag"] == again["etag"])
      try await server.patch(url, #"{"altText": "a"}"#, token: server.adminToken).expect(200)
      let log = try await server.get("/admin/audit", token: server.adminToken).expect(200)
      #expect(log.json.items.elements.first?.act == "edit-template")
      try await server.patch(
        url, #"{"name": null, "boxes": [7], "aliases": ["a b"], "source": "ftp://x", "top": "x"}"#,
        token: token
      ).expect(
        422,
        fields: [
          "top unknown-field", "name missing", "boxes[0] not-an-object", "aliases invalid-alias",
          "source not-a-url",
        ])
    }
  }

  @Test func `an alias belongs to one template`() async throws {
    try await withServer { server in
      let first = try await server.keepTemplate(name: "x", [.field("aliases", "cat")]).expect(201)
      try await server.keepTemplate(name: "x", [.field("aliases", "dog,cat")])
        .expect(409, problem: "alias-taken")
      let second = try await server.keepTemplate(name: "x", [.field("aliases", "dog")]).expect(201)
      let url = second["location"] ?? ""
      try await server.patch(url, #"{"aliases": ["cat"]}"#, token: server.adminToken)
        .expect(409, problem: "alias-taken")
      try await server.delete(first["location"] ?? "", token: server.adminToken).expect(204)
      try await server.get("/templates/cat").expect(404)
      try await server.patch(url, #"{"aliases": ["cat"]}"#, token: server.adminToken).expect(200)
      #expect(try await server.get("/templates/cat").json.id == second.json.id)
    }
  }

  @Test(arguments: [
    "", "Cat", "a b", "a--b", "-a", "a-", "custom", "preview", "ä",
    String(repeating: "a", count: 61),
    "01234567-89ab-7def-8123-456789abcdef",
  ])
  func `an alias is a short word for URLs`(alias: String) async throws {
    try await withServer { server in
      let url = try await server.keepTemplate().expect(201)["location"] ?? ""
      try await server.patch(url, #"{"aliases": ["\#(alias)"]}"#, token: server.adminToken)
        .expect(422, fields: ["aliases invalid-alias"])
    }
  }

  @Test func `templates are found by the beginnings of their words, and by tags`() async throws {
    try await withServer { server in
      try await server.keepTemplate(name: "Grumpy cat", [.field("tags", "animal,mood")])
        .expect(201)
      try await server.keepTemplate(name: "Doge", [.field("tags", "animal,dog")]).expect(201)
      try await server.keepTemplate(name: "Überholt", [.field("aliases", "old-cat")]).expect(201)
      func names(_ query: String) async throws -> [String?] {
        try await server.get("/templates?\(query)").expect(200).json.items.elements.map(\.name.text)
      }
      #expect(try await names("q=cat") == ["Überholt", "Grumpy cat"])
      #expect(try await names("q=CA%20gru") == ["Grumpy cat"])
      #expect(try await names("q=uber") == ["Überholt"])
      #expect(try await names("q=animal") == ["Doge", "Grumpy cat"])
      #expect(try await names("q=imal").isEmpty)
      #expect(try await names("tag=animal") == ["Doge", "Grumpy cat"])
      #expect(try await names("tag=Animal&q=do") == ["Doge"])
      #expect(try await names("tag=anim").isEmpty)
      let page = try await server.get("/templates?tag=animal&limit=1").expect(200)
      let cursor = try #require(page.json.nextCursor.text)
      #expect(page["link"] == "</templates?tag=animal&limit=1&cursor=\(cursor)>; rel=\"next\"")
      #expect(try await names("tag=animal&limit=1&cursor=\(cursor)") == ["Grumpy cat"])
      try await server.get("/templates?q=%21&tag=a%20b&sort=best").expect(
        422, fields: ["q empty", "tag invalid-tag", "sort not-allowed"])
    }
  }

  @Test func `the most used templates are the popular ones`() async throws {
    try await withServer { server in
      var ids: [String] = []
      for name in ["a", "b", "c"] {
        ids.append(try await server.keepTemplate(name: name).expect(201).json.id.text ?? "")
      }
      for id in [ids[0], ids[0], ids[1]] {
        try await server.post([.field("template", id)]).expect(201)
      }
      let first = try await server.get("/templates?sort=popular&limit=2").expect(200)
      #expect(first.json.items.elements.map(\.name) == ["a", "b"])
      let cursor = try #require(first.json.nextCursor.text)
      let rest = try await server.get("/templates?sort=popular&cursor=\(cursor)").expect(200)
      #expect(rest.json.items.elements.map(\.name) == ["c"])
      // A cursor belongs to its order.
      try await server.get("/templates?cursor=\(cursor)").expect(400, problem: "invalid-cursor")
    }
  }

  @Test func `a template is made from a meme, an upload, or someone else's public meme`()
    async throws
  {
    try await withServer { server in
      let captions = #"""
        [{"text": "mine", "x": 0.1, "y": 0.1, "width": 0.4, "height": 0.2, "rotation": 10}]
        """#
      let meme = try await server.post([
        .file("image", try Fixture.photo.bytes), .field("captions", captions),
        .field("crop", "0,0,320,240"), .field("fill", "#00ff00"),
      ]).expect(201)
      let remix = FormBody.Part.field("remix", meme.json.id.text ?? "")
      let template = try await server.post(to: "/templates", [remix, .field("name", "x")])
        .expect(201).json
      #expect([template.image.width.int, template.image.height.int] == [320, 240])
      #expect(template.boxes.elements.map(\.["text"]) == ["mine"])
      // The style of the meme is part of the boxes.
      #expect(template.boxes[0].fill == "#00ff00" && template.boxes[0].rotation == 10)
      let bare = try await server.post(
        to: "/templates", [remix, .field("name", "x"), .field("boxes", "[]")]
      ).expect(201).json
      #expect(bare.boxes == [])
      try await server.post(to: "/templates", [remix, .field("name", "x"), .file("image", [1])])
        .expect(422, fields: ["image not-together", "remix not-together"])
    }
  }

  @Test func `a meme for friends does not become a template of others`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      for (one, other) in [(ada, "bob"), (bob, "ada")] {
        try await server.put("/users/\(other)/follow", token: one).expect(204)
      }
      let meme =
        try await server.post(
          [.file("image", try Fixture.photo.bytes), .field("visibility", "friends")], token: ada
        ).expect(201).json.id.text ?? ""
      let fields: [FormBody.Part] = [.field("remix", meme), .field("name", "x")]
      try await server.post(to: "/templates", fields, token: bob)
        .expect(422, fields: ["remix source-not-public"])
      try await server.post(to: "/templates", fields).expect(422, fields: ["remix unknown-meme"])
      try await server.post(to: "/templates", fields, token: ada).expect(201)
    }
  }
}
