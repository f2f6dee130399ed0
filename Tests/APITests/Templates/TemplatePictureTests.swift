import Foundation
import Support
import Testing
import Wire
import mememe

/// Templates with places for pictures.
struct TemplatePictureTests {
  @Test func `a template has places for pictures, which change and are copied`() async throws {
    try await withServer { server in
      let places = #"[{"x": 0.5, "y": 0, "width": 0.5, "height": 0.5, "fit": "cover"}]"#
      let place = #"{"x": 0.5, "y": 0, "width": 0.5, "height": 0.5, "rotation": 0, "fit": "cover"}"#
      let shown = try JSON(parsing: Array("[\(place)]".utf8))
      let made = try await server.keepTemplate(name: "Place", [.field("pictures", places)])
        .expect(201)
      #expect(made.json.pictures == shown)
      let (url, token) = (try #require(made["location"]), made["meme-delete-token"])
      let copied: FormBody.Part = .field("template", made.json.id.text ?? "")
      let copy = try await server.post(to: "/templates", [copied, .field("name", "copy")])
      #expect(copy.json.pictures == shown)
      let other = try await server.post(
        to: "/templates", [copied, .field("name", "other"), .field("pictures", "[]")])
      #expect(other.json.pictures == [])
      // A meme of the template names its pictures itself.
      let sticker = try await server.keepTemplate(.transparent, name: "Hat").expect(201).json.id
      let meme = try await server.post([
        copied,
        .field(
          "pictures",
          #"[{"template": "\#(sticker.text ?? "")", "x": 0, "y": 0, "width": 1, "height": 0.5}]"#),
      ]).expect(201).json
      let remix = try await server.post(
        to: "/templates", [.field("remix", meme.id.text ?? ""), .field("name", "remix")])
      #expect(remix.json.pictures == meme.pictures && meme.pictures.elements.count == 1)
      let nine = Array(repeating: "{}", count: 9).joined(separator: ",")
      for (places, fields) in [
        (#"[{"x": 0, "y": 0, "width": 1}]"#, "pictures[0].height missing"),
        ("[1]", "pictures[0] not-an-object"), ("[\(nine)]", "pictures too-many"),
        (#"[{"x": 0, "y": 0, "width": 2, "height": 1}]"#, "pictures[0].width out-of-range"),
        (
          #"[{"x": 0, "y": 0, "width": 1, "height": 1, "upload": "a"}]"#,
          "pictures[0].upload unknown-field"
        ),
      ] {
        try await server.patch(url, #"{"pictures": \#(places)}"#, token: token)
          .expect(422, problem: "invalid-input", fields: [fields])
      }
      let changed = try await server.patch(url, #"{"name": "Bare"}"#, token: token).expect(200)
      #expect(changed.json.pictures == shown && changed["etag"] != made["etag"])
      let reset = try await server.patch(url, #"{"pictures": null}"#, token: token).expect(200)
      #expect(reset.json.pictures == [] && reset["etag"] != changed["etag"])
    }
  }
}
