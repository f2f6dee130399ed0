import Bytes
import Foundation
import Imaging
import Support
import Testing
import Wire
import mememe

/// Memes with pictures in boxes.
struct BoxedPictureTests {
  private static let place = #""x": 0.5, "y": 0.25, "width": 0.25, "height": 0.5"#

  private func pixels(_ answer: Answer) throws -> [UInt8] {
    let file = Bytes(answer.response.body)
    let buffer = PixelBuffer()
    let header = try PictureHeader(of: file, maximumPixels: 10_000_000)
    try PictureDecoder.decode(file, header: header, maximumEdge: 20_000, into: buffer)
    return Array(buffer.pixels)
  }

  private func make(
    on server: TestServer, _ pictures: String, _ fields: [FormBody.Part] = [], token: String? = nil
  ) async throws -> Answer {
    let parts =
      [.field("pictures", pictures)] + fields + [
        FormBody.Part.file("image", try Fixture.photo.bytes)
      ]
    return try await server.post(parts, token: token)
  }

  private func template(_ server: TestServer, _ picture: Fixture = .transparent) async throws
    -> String
  {
    try #require(try await server.keepTemplate(picture).expect(201).json.id.text)
  }

  private func upload(_ server: TestServer, _ file: [UInt8]) async throws -> String {
    try #require(try await server.sendAhead(file).expect(201).json.id.text)
  }

  @Test func `a meme has copies of its pictures, and keeps them`() async throws {
    try await withServer { server in
      let sticker = try await template(server)
      let photo = try await upload(
        server, TellingPicture.jpeg(try Fixture.photo.bytes, orientation: 6))
      let pictures = #"""
        [{"template": "\#(sticker)", \#(Self.place), "rotation": -12},
        {"upload": "\#(photo)", "x": 0, "y": 0, "width": 0.5, "height": 1, "fit": "cover"}]
        """#
      let preview = try await server.post(
        to: "/memes/preview",
        [.field("pictures", pictures), .file("image", try Fixture.photo.bytes)]
      ).expect(200)
      let meme = try await make(on: server, pictures).expect(201)
      let shown = [
        #"{"x":0.5,"y":0.25,"width":0.25,"height":0.5,"rotation":-12,"fit":"contain"}"#,
        #"{"x":0,"y":0,"width":0.5,"height":1,"rotation":0,"fit":"cover"}"#,
      ]
      #expect(
        try meme.json.pictures == JSON(parsing: Array("[\(shown.joined(separator: ","))]".utf8)))
      let (url, token) = (
        try #require(meme["location"]), try #require(meme.json.deleteToken.text)
      )
      let image = try await server.get("\(url)/image").expect(200)
      let other = try #require(try await make(on: server, "[]").expect(201)["location"])
      let plain = try await server.get("\(other)/image").expect(200)
      #expect(try pixels(image) != pixels(plain))
      // A preview draws the upload itself, and the meme its copy.
      let (drawn, previewed) = (try pixels(image), try pixels(preview))
      let difference = zip(drawn, previewed).map { abs(Int($0) - Int($1)) }
      #expect(drawn.count == previewed.count)
      #expect(Double(difference.reduce(0, +)) / Double(difference.count) < 2)
      // The template may go.
      try await server.delete("/templates/\(sticker)", token: server.adminToken).expect(204)
      try await server.patch(url, #"{"top": "x"}"#, token: token).expect(200)
      let back = try await server.patch(url, #"{"top": ""}"#, token: token).expect(200)
      #expect(back.json.pictures == meme.json.pictures)
      #expect(
        try await server.get("\(url)/image").expect(200).response.body == image.response.body)
    }
  }

  @Test func `an edit replaces, keeps, moves and removes pictures`() async throws {
    try await withServer { server in
      let ids = [try await template(server), try await template(server, .webp)]
      let ada = try await server.signUp("ada")
      let used = { try await server.get("/users/me/usage", token: ada).json.bytes.used.int ?? 0 }
      let made = try await make(
        on: server,
        "[\(ids.map { #"{"template": "\#($0)", \#(Self.place)}"# }.joined(separator: ","))]",
        token: ada
      ).expect(201)
      let url = try #require(made["location"])
      let first = try await server.get("\(url)/image").response.body
      let both = try await used()
      func edit(_ json: String) async throws -> [UInt8] {
        try await server.patch(url, json, token: ada).expect(200)
        return try await server.get("\(url)/image").expect(200).response.body
      }
      // Keeping all of them as they are changes nothing.
      let kept = [0, 1].map { #"{"kept": \#($0), \#(Self.place)}"# }
      #expect(try await edit(#"{"pictures": [\#(kept[0]), \#(kept[1])]}"#) == first)
      #expect(try await server.get(url).json.version == 1)
      // The other order, and back.
      #expect(try await edit(#"{"pictures": [\#(kept[1]), \#(kept[0])]}"#) != first)
      #expect(try await edit(#"{"pictures": [\#(kept[1]), \#(kept[0])]}"#) == first)
      #expect(try await used() == both)
      // The second one alone, twice, moved, and beside another.
      let one = try await edit(#"{"pictures": [\#(kept[1])]}"#)
      #expect(try await used() < both)
      #expect(
        try await edit(
          #"{"pictures": [{"kept": 0, "x": 0, "y": 0, "width": 0.25, "height": 0.5}]}"#) != one)
      #expect(
        try await edit(#"{"pictures": [\#(kept[0]), {"template": "\#(ids[0])", \#(Self.place)}]}"#)
          != one)
      #expect(try await edit(#"{"pictures": [\#(kept[0])], "top": "x"}"#) != one)
      #expect(try await edit(#"{"top": null}"#) == one)
      let none = try await edit(#"{"pictures": null}"#)
      #expect(try await server.get(url).json.pictures == [])
      let plain = try #require(try await make(on: server, "[]", token: ada)["location"])
      #expect(try await server.get("\(plain)/image").response.body == none)
      try await server.patch(
        url, #"{"pictures": [{"kept": 0, \#(Self.place)}]}"#, token: ada
      ).expect(422, fields: ["pictures[0].kept out-of-range"])
    }
  }

  @Test func `a picture that is hidden by another is replaced too`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let ids = [try await template(server), try await template(server, .webp)]
      let whole = #""x": 0, "y": 0, "width": 1, "height": 1, "fit": "cover""#
      let made = try await make(
        on: server, "[\(ids.map { #"{"template": "\#($0)", \#(whole)}"# }.joined(separator: ","))]",
        token: ada
      ).expect(201)
      let url = try #require(made["location"])
      let shown = try await server.get("\(url)/image").response.body
      let edited = try await server.patch(
        url, #"{"pictures": [{"template": "\#(ids[1])", \#(whole)}, {"kept": 1, \#(whole)}]}"#,
        token: ada
      ).expect(200)
      #expect(edited.json.version == 2)
      #expect(try await server.get("\(url)/image").response.body == shown)
      try await server.patch(url, #"{"pictures": [{"kept": 0, \#(whole)}]}"#, token: ada).expect(
        200)
      #expect(try await server.get("\(url)/image").response.body == shown)
    }
  }

  @Test func `pictures can be removed when the quota is used up`() async throws {
    try await withServer({ $0.quotaBytes = 1_000_000 }) { server in
      let ada = try await server.signUp("ada")
      let id = try await template(server)
      let picture = #"{"template": "\#(id)", \#(Self.place)}"#
      let made = try await make(on: server, "[\(picture), \(picture)]", token: ada).expect(201)
      let url = try #require(made["location"])
      while true {
        let more = try await make(on: server, "[]", token: ada)
        if more.status == 507 { break }
        try #require(more.status == 201)
      }
      for _ in 1...20
      where try await server.sendAhead(try Fixture.transparent.bytes, token: ada).status == 201 {}
      try await server.patch(url, #"{"pictures": [{"kept": 1, \#(Self.place)}]}"#, token: ada)
        .expect(200)
      try await server.patch(url, #"{"pictures": null}"#, token: ada).expect(200)
    }
  }

  @Test func `pictures and their boxes are checked before anything is stored`() async throws {
    try await withServer { server in
      let id = try await template(server)
      let unknown = "01234567-89ab-7def-8123-456789abcdef"
      let whole = #"{"template": "\#(id)", \#(Self.place)}"#
      for (pictures, field) in [
        ("{}", "pictures not-an-array"), ("[1]", "pictures[0] not-an-object"),
        ("[\(Array(repeating: whole, count: 9).joined(separator: ","))]", "pictures too-many"),
        ("[{\(Self.place)}]", "pictures[0].upload missing"),
        (
          #"[{"template": "\#(id)", "upload": "\#(unknown)", \#(Self.place)}]"#,
          "pictures[0].template not-together"
        ),
        (
          #"[\#(whole), {"upload": "\#(unknown)", \#(Self.place)}]"#,
          "pictures[1].upload unknown-upload"
        ),
        (
          #"[{"template": "\#(unknown)", \#(Self.place)}]"#, "pictures[0].template unknown-template"
        ),
        (#"[{"template": "x", \#(Self.place)}]"#, "pictures[0].template invalid-uuid"),
        (#"[{"kept": 0, \#(Self.place)}]"#, "pictures[0].kept unknown-field"),
        (#"[{"template": "\#(id)", "x": 0, "y": 0, "width": 1}]"#, "pictures[0].height missing"),
        (
          #"[{"template": "\#(id)", "x": 0.5, "y": 0, "width": 0.6, "height": 1}]"#,
          "pictures[0].width out-of-range"
        ),
        (
          #"[{"template": "\#(id)", \#(Self.place), "rotation": 181}]"#,
          "pictures[0].rotation out-of-range"
        ),
        (
          #"[{"template": "\#(id)", \#(Self.place), "fit": "fill"}]"#, "pictures[0].fit not-allowed"
        ),
      ] {
        let problem = try await make(on: server, pictures).expect(422, problem: "invalid-input")
        let found = problem.json.errors.elements.map {
          "\($0.field.text ?? "") \($0.code.text ?? "")"
        }
        #expect(found.contains(field), "\(pictures): \(found)")
      }
      #expect(try await server.listed().isEmpty)
    }
  }

  @Test func `a repeated request makes one meme, and another picture another`() async throws {
    try await withServer { server in
      let ids = [try await template(server), try await template(server)]
      let fields: [FormBody.Part] = [.field("id", "01234567-89ab-7def-8123-456789abcdef")]
      let pictures = ids.map { #"[{"template": "\#($0)", \#(Self.place)}]"# }
      try await make(on: server, pictures[0], fields).expect(201)
      try await make(on: server, pictures[0], fields).expect(200)
      try await make(on: server, pictures[1], fields).expect(409, problem: "id-taken")
      try await make(on: server, "[]", fields).expect(409, problem: "id-taken")
    }
  }

  @Test func `the pictures of a meme are in the export of its author`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let id = try await template(server)
      try await make(on: server, #"[{"template": "\#(id)", \#(Self.place)}]"#, token: ada).expect(
        201)
      let archive = try await server.send(
        "POST", "/users/me/export", headers: [("Authorization", "Bearer \(ada)")]
      ).expect(200).response.body
      let files = try await blocking { try Unzipped(archive).files }
      let sticker = try #require(files.first { $0.name.hasSuffix("/picture-1.png") })
      let copy = try await server.get("/templates/\(id)/image").expect(200)
      #expect([UInt8](sticker.content) == copy.response.body)
    }
  }
}
