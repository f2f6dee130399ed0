import Support
import Testing
import Wire
import mememe

/// Invalid templates, and memes with invalid references to templates or other memes.
struct BadTemplateTests {
  @Test(arguments: [
    ("", "empty"), (" \u{3000}\u{200B}", "empty"), ("a\u{0}b", "nul"),
    ("a\nb", "control-character"),
    ("a\u{2028}b", "control-character"), ("\u{1B}[31mred", "control-character"),
    (String(repeating: "x", count: 101), "too-long"),
    ("a" + String(repeating: "\u{301}", count: 1500), "too-long"),
  ])
  func `a template name is a single visible line`(name: String, code: String) async throws {
    try await withServer { server in
      try await server.keepTemplate(name: name)
        .expect(422, problem: "invalid-input", fields: ["name \(code)"])
      #expect(try await server.get("/templates").json.items.elements.isEmpty)
    }
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "'; DROP TABLE templates; --", "../../etc/passwd",
    "\u{202E}txt.exe",
    "{\"a\": 1}", String(repeating: "👨‍👩‍👧‍👦", count: 50), "שלום", "%00",
  ])
  func `a template name is stored as plain text`(name: String) async throws {
    try await withServer { server in
      let created = try await server.keepTemplate(.transparent, name: name).expect(201)
      #expect(created.json.name.text == name)
      #expect(try await server.get("/templates").json.items[0].name.text == name)
    }
  }

  @Test func `every invalid template field is named`() async throws {
    try await withServer { server in
      try await server.post(to: "/templates", [.field("top", "x")]).expect(
        422, problem: "invalid-input",
        fields: ["image missing", "name missing", "top unknown-field"])
      try await server.post(
        to: "/templates",
        [
          .file("image", []), .field("name", ""),
          .field("altText", String(repeating: "x", count: 1001)),
        ]
      ).expect(
        422, problem: "invalid-input", fields: ["image empty", "name empty", "altText too-long"])
      try await server.post(
        to: "/templates", [.file("image", Array("<svg/>".utf8)), .field("name", "x")]
      ).expect(415, problem: "unsupported-picture")
      let truncated = Array(try Fixture.photo.bytes.prefix(5000))
      try await server.post(to: "/templates", [.file("image", truncated), .field("name", "x")])
        .expect(422, problem: "invalid-input", fields: ["image broken-picture"])
    }
  }

  @Test func `only one field can name the picture, and each excess one is reported`() async throws {
    try await withServer { server in
      let template = try await server.keepTemplate().expect(201).json.id.text ?? ""
      let made = try await server.upload(.photo).expect(201)
      let (url, token) = (made["location"] ?? "", made["meme-delete-token"] ?? "")
      let meme = made.json.id.text ?? ""
      for target in ["/memes", "/memes/preview"] {
        try await server.post(
          to: target, [.file("image", try Fixture.photo.bytes), .field("template", template)]
        ).expect(
          422, problem: "invalid-input", fields: ["image not-together", "template not-together"])
        try await server.post(
          to: target,
          [.field("remix", meme), .field("template", template), .field("fill", "red")]
        ).expect(
          422, problem: "invalid-input",
          fields: ["remix not-together", "template not-together", "fill invalid-colour"])
        for (field, code) in [("template", "unknown-template"), ("remix", "unknown-meme")] {
          try await server.post(to: target, [.field(field, "X")])
            .expect(
              422, problem: "invalid-input",
              fields: ["\(field) \(field == "remix" ? "invalid-uuid" : "invalid-alias")"])
          // An id of the other kind is unknown here.
          try await server.post(to: target, [.field(field, field == "remix" ? template : meme)])
            .expect(422, problem: "invalid-input", fields: ["\(field) \(code)"])
        }
      }
      try await server.patch(
        url, #"{"remix": "\#(meme)", "template": "\#(template)"}"#, token: token
      ).expect(
        422, problem: "invalid-input", fields: ["remix not-together", "template not-together"])
      try await server.patch(url, #"{"remix": 7}"#, token: token)
        .expect(422, problem: "invalid-input", fields: ["remix not-a-text"])
    }
  }
}
