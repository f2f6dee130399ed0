import Foundation
import Support
import Testing
import Wire
import mememe

/// `PATCH /memes/{id}`: an omitted field stays, and `null` resets a field to its default.
struct EditTests {
  private struct Made {
    let url: String
    let token: String
    let first: Answer
  }

  private func make(
    _ server: TestServer, _ picture: Fixture = .photo, _ fields: [String: String] = [:]
  ) async throws -> Made {
    let created = try await server.upload(picture, top: "one", bottom: "two", fields).expect(201)
    let url = try #require(created["location"])
    let token = try #require(created["meme-delete-token"])
    return Made(url: url, token: token, first: try await server.get(url, token: token))
  }

  @Test func `an edit renders the meme again and keeps omitted fields`() async throws {
    try await withServer { server in
      let made = try await make(server, .photo, ["fill": "#ffcc00", "maxEdge": "400"])
      #expect(made.first.json.viewer.canEdit.flag == true)
      let before = try await server.get("\(made.url)/image")
      let edited = try await server.patch(made.url, #"{"top": "three"}"#, token: made.token)
        .expect(200)
      #expect(edited.json.version.int == 2)
      #expect(edited["etag"]?.hasPrefix("\"2.") == true)
      #expect(edited.json.top.text == "three")
      #expect(edited.json.altText.text == "three – two")
      for member in ["id", "bottom", "style", "createdAt", "original", "crop", "captions"] {
        #expect(edited.json[member] == made.first.json[member], "\(member)")
      }
      #expect(edited.json.image.width.int == 400)
      #expect(edited.json.original.sha256.text?.count == 64)
      let after = try await server.get("\(made.url)/image")
      #expect(after.response.body != before.response.body)
      #expect(after["etag"] != before["etag"])
      let shown = try await server.get(made.url, token: made.token)
      #expect(shown.response.body == edited.response.body)
      let listed = try await server.get("/memes").json.items
      #expect(listed.elements.count == 1)
      #expect(listed[0].version.int == 2)
      #expect(listed[0].viewer.canEdit.flag == false)
    }
  }

  @Test func `URLs of the previous version are gone`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let old = try ["image", "table", "grid"].map { name in
        let place = name == "image" ? made.first.json.image : made.first.json.thumbnails[name]
        return try #require(place.url.text)
      }
      // Fills the cache.
      for address in old + [made.url, "/memes"] { try await server.get(address).expect(200) }
      try await server.patch(made.url, #"{"bottom": "three"}"#, token: made.token).expect(200)
      for address in old {
        let gone = try await server.get(address).expect(410, problem: "gone")
        #expect(gone.json.detail.text?.contains("edited") == true)
        try await server.get(address.replacing("v=1", with: "v=2")).expect(200)
      }
      #expect(try await server.get(made.url).json.bottom.text == "three")
      #expect(try await server.get("/memes").json.items[0].bottom.text == "three")
    }
  }

  @Test(arguments: [Fixture.photo, .transparent, .moving, .cmyk])
  func `reverting an edit restores the first picture`(picture: Fixture) async throws {
    try await withServer { server in
      let made = try await make(server, picture)
      let paths = ["/image", "/thumbnail?view=grid", "/thumbnail?view=table"]
      var first: [[UInt8]] = []
      for path in paths { first.append(try await server.get(made.url + path).response.body) }
      let changes = [
        (#"{"top": "x", "bottom": ""}"#, #"{"top": "one", "bottom": "two"}"#),
        (#"{"layout": "bar"}"#, #"{"layout": "overlay"}"#),
        (
          ##"{"font": "comic", "fill": "#ff0000", "size": 0.3}"##,
          #"{"font": null, "fill": null, "size": null}"#
        ),
        (#"{"crop": "10,20,30,40"}"#, #"{"crop": null}"#),
        (#"{"maxEdge": 64}"#, #"{"maxEdge": null}"#),
        (
          #"{"captions": [{"text": "x", "x": 0, "y": 0, "width": 1, "height": 0.5}]}"#,
          #"{"top": "one", "bottom": "two"}"#
        ),
      ]
      for (index, (there, back)) in changes.enumerated() {
        try await server.patch(made.url, there, token: made.token).expect(200)
        #expect(try await server.get("\(made.url)/image").response.body != first[0], "\(there)")
        let again = try await server.patch(made.url, back, token: made.token).expect(200)
        #expect(again.json.version.int == 3 + 2 * index)
        for (path, body) in zip(paths, first) {
          #expect(try await server.get(made.url + path).response.body == body, "\(back) \(path)")
        }
      }
    }
  }

  @Test(arguments: [
    ["fill": "#000000"], ["outlineWidth": "0"], ["fill": "#ffffff", "outlineWidth": "0.11"],
    ["layout": "bar", "fill": "#ffffff"], ["layout": "bar", "outlineWidth": "0.11"],
  ])
  func `chosen styles survive a change of layout`(
    fields: [String: String]
  ) async throws {
    try await withServer { server in
      let made = try await make(server, .photo, fields)
      let first = try await server.get("\(made.url)/image").response.body
      let layout = fields["layout"] ?? "overlay"
      let other = layout == "bar" ? "overlay" : "bar"
      let there = try await server.patch(
        made.url, #"{"layout": "\#(other)"}"#, token: made.token
      ).expect(200)
      for (name, value) in fields where name != "layout" {
        let shown = there.json.style[name]
        #expect(shown.text == value || shown.double == Double(value), "\(name)")
      }
      let back = try await server.patch(
        made.url, #"{"layout": "\#(layout)"}"#, token: made.token
      ).expect(200)
      #expect(back.json.style == made.first.json.style)
      #expect(try await server.get("\(made.url)/image").response.body == first)
    }
  }

  @Test func `an edit that changes nothing makes no version`() async throws {
    try await withServer { server in
      let made = try await make(server)
      for same in [
        "{}", #"{"top": "one"}"#, #"{"fill": null}"#, #"{"crop": null, "altText": ""}"#,
      ] {
        let answer = try await server.patch(made.url, same, token: made.token).expect(200)
        #expect(answer.response.body == made.first.response.body, "\(same)")
        #expect(answer["etag"] == made.first["etag"])
      }
    }
  }

  @Test func `a written alt text stays, a generated one follows the captions`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let image = try await server.get("\(made.url)/image").response.body
      let written = try await server.patch(
        made.url, #"{"altText": "a cat"}"#, token: made.token
      ).expect(200)
      #expect(written.json.version.int == 2)
      #expect(written.json.altText.text == "a cat")
      #expect(try await server.get("\(made.url)/image").response.body == image)
      let kept = try await server.patch(made.url, #"{"top": "x"}"#, token: made.token)
      #expect(kept.json.altText.text == "a cat")
      let made2 = try await server.patch(made.url, #"{"altText": null}"#, token: made.token)
      #expect(made2.json.altText.text == "x – two")
    }
  }

  @Test func `a form can edit and replace the picture`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let parts: [FormBody.Part] = [
        .field("top", "three"), .file("image", try Fixture.transparent.bytes),
      ]
      let edited = try await server.patch(made.url, FormBody(parts), token: made.token).expect(200)
      #expect(edited.json.top.text == "three" && edited.json.bottom.text == "two")
      #expect(edited.json.image.mediaType.text == "image/png")
      #expect(edited.json.original.mediaType.text == "image/png")
      #expect(edited.json.original.sha256 != made.first.json.original.sha256)
      let original = try await server.get("\(made.url)/original", token: made.token).expect(200)
      #expect(original.response.body == (try Fixture.transparent.bytes))
    }
  }

  @Test func `the format stays until another format or picture is sent`() async throws {
    try await withServer { server in
      let made = try await make(server, .photo, ["format": "png"])
      func type(_ json: String) async throws -> String? {
        try await server.patch(made.url, json, token: made.token).expect(200).json.image.mediaType
          .text
      }
      #expect(try await type(#"{"top": "x"}"#) == "image/png")
      #expect(try await type(#"{"format": "webp"}"#) == "image/webp")
      #expect(try await type(#"{"top": "y"}"#) == "image/webp")
      #expect(try await type(#"{"format": null}"#) == "image/jpeg")
    }
  }

  @Test func `concurrent edits are all applied, one after another`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let versions = try await withThrowingTaskGroup(of: Int?.self) { group in
        for number in 0..<12 {
          let change = #"{"\#(["top", "bottom", "altText"][number % 3])": "\#(number)"}"#
          group.addTask {
            try await server.patch(made.url, change, token: made.token).expect(200).json.version.int
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(versions.compactMap(\.self).sorted() == Array(2...13))
      let meme = try await server.get(made.url).json
      #expect(meme.version.int == 13)
      for (text, rest) in [(meme.top.text, 0), (meme.bottom.text, 1), (meme.altText.text, 2)] {
        #expect(text.flatMap { Int($0) }.map { $0 % 3 } == rest)
      }
    }
  }

  @Test func `a new picture drops the previous crop`() async throws {
    try await withServer { server in
      let made = try await make(server, .photo, ["crop": "0,0,300,200"])
      let parts: [FormBody.Part] = [.file("image", try Fixture.transparent.bytes)]
      let edited = try await server.patch(made.url, FormBody(parts), token: made.token).expect(200)
      #expect(edited.json.crop == .null && edited.json.image.width.int == 120)
      let cropped = try await server.patch(
        made.url, FormBody(parts + [.field("crop", "0,0,60,30")]), token: made.token
      ).expect(200)
      #expect(cropped.json.crop.width.int == 60 && cropped.json.image.width.int == 60)
      // A form has no `null`, so an empty value resets the field.
      let whole = try await server.patch(
        made.url, FormBody([.field("crop", ""), .field("bottom", "")]), token: made.token
      ).expect(200)
      #expect(whole.json.crop == .null && whole.json.bottom.text == "")
    }
  }

  @Test func `JSON bodies are limited in size`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let long = #"{"top": "\#(String(repeating: "x", count: 1 << 20))"}"#
      try await server.patch(made.url, long, token: made.token)
        .expect(413, problem: "content-too-large")
      let many = "[" + Array(repeating: "{}", count: 20_000).joined(separator: ",") + "]"
      try await server.patch(made.url, #"{"captions": \#(many)}"#, token: made.token)
        .expect(400, problem: "malformed-request")
      let name = String(repeating: "n", count: 10_000)
      let named = try await server.patch(made.url, #"{"\#(name)": 1}"#, token: made.token)
      #expect(named.expect(422).response.body.count < 1000)
    }
  }

  @Test func `invalid edits are rejected and change nothing`() async throws {
    try await withServer { server in
      let made = try await make(server)
      try await server.patch(made.url, #"{"top": 1, "id": "x", "image": "x"}"#, token: made.token)
        .expect(422, fields: ["top not-a-text", "id unknown-field", "image not-a-file"])
      for malformed in ["", "[]", "{", "null"] {
        try await server.patch(made.url, malformed, token: made.token)
          .expect(400, problem: "malformed-request")
      }
      try await server.send(
        "PATCH", made.url,
        headers: [("Authorization", "Bearer \(made.token)"), ("Content-Type", "text/plain")],
        body: Array("{}".utf8)
      ).expect(415, problem: "unsupported-media-type")
      let options = try await server.send("OPTIONS", made.url).expect(204)
      #expect(options["accept-patch"]?.contains("application/merge-patch+json") == true)
      let broken: [FormBody.Part] = [.file("image", Array(try Fixture.photo.bytes.prefix(5000)))]
      try await server.patch(made.url, FormBody(broken), token: made.token)
        .expect(422, fields: ["image broken-picture"])
      let unchanged = try await server.get(made.url, token: made.token)
      #expect(unchanged.response.body == made.first.response.body)
    }
  }

  @Test func `an edit survives kill -9 and leaves no orphaned bytes`() async throws {
    try await withDataFolder { folder in
      let server = try await ServerProcess(
        data: folder, settings: ["MEMEME_ADMIN_TOKEN": "a-token-for-this-test"])
      let created = try await server.post(
        FormBody([.file("image", try Fixture.photo.bytes), .field("top", "one")]))
      let url = try #require(created.expect(201)["location"])
      let edited = try await server.patch(url, #"{"top": "two"}"#, token: "a-token-for-this-test")
        .expect(200)
      _ = try await server.end(by: SIGKILL)
      try await withServer(in: folder) { server in
        let meme = try await server.get(url).expect(200)
        #expect(meme.json.top.text == "two" && meme.json.version.int == 2)
        #expect(meme.json.image == edited.json.image)
      }
      let check = try await ServerProcess.run(["check", "--decode", "--data", folder.path])
      #expect(check.code == 0, "\(check.output)")
    }
  }
}
