import Foundation
import Support
import Testing
import Wire

/// `mememe templates` in separate processes.
struct TemplatesCommandTests {
  private func run(
    _ folder: ImportFolder, _ words: String...
  ) async throws -> (code: Int32, output: String) {
    try await ServerProcess.run(["templates"] + words + ["--data", folder.data.path])
  }

  private func withFolder(_ body: (ImportFolder) async throws -> Void) async throws {
    try await withImportFolder { folder in
      try await folder.makeDatabase()
      try await body(folder)
    }
  }

  /// The layout of memegen, with a picture of this project.
  private func putMemegen(in folder: ImportFolder) throws {
    try folder.put(.photo, as: "two/default.jpg")
    try folder.put(.moving, as: "two/default.gif")
    try folder.put(
      """
      name: Two panels
      source: https://example.org/two
      keywords:
        - null
        - this or that
      text:
        - style: upper
          color: white
          font: thick
          anchor_x: 0.085
          anchor_y: 0.085
          angle: 12.5
          scale_x: 0.32
          scale_y: 0.095
          align: left
          start: 0.0
          stop: 1.0
        - {style: none, color: black, anchor_x: 0.9, anchor_y: 0.9, scale_x: 0.5, scale_y: 0.5}
      example:
        - first
        - second
      overlay:
        - {center_x: 0.5, center_y: 0.5, angle: 0.0, scale: 0.25}
      """, as: "two/config.yml")
    try folder.put(.photo, as: "plain/default.jpg")
    try folder.put(
      """
      {name: 42, keywords: [], example: [a, b], overlay: [{center_x: 0.25, center_y: 0.5, angle: 10, scale: 0.5},
      {center_x: 1, center_y: 1, angle: .nan}]}
      """, as: "plain/config.yml")
    try folder.put(.photo, as: "_error/default.jpg")
    try folder.put("name: Error", as: "_error/config.yml")
  }

  @Test func `templates of memegen are imported with their text zones, once`() async throws {
    try await withFolder { folder in
      try putMemegen(in: folder)
      let first = try await run(folder, "import", folder.pictures.path)
      #expect(first.code == 0 && first.output.contains("imported 2 templates"), "\(first.output)")
      let again = try await run(folder, "import", folder.pictures.path)
      #expect(again.output.contains("imported 0 templates; 2 already imported"), "\(again.output)")
      try await withServer(in: folder.data) { server in
        // They count in no quota.
        let usage = try await server.get("/admin/usage", token: server.adminToken).json
        #expect(usage.anonymous.used == 0)
        let template = try await server.get("/templates/two").expect(200).json
        #expect(template.name == "Two panels" && template.tags == ["this-or-that"])
        #expect(template.source == "https://example.org/two")
        // A moving picture next to a still one is left out.
        #expect(template.image.mediaType == "image/jpeg")
        let boxes = template.boxes.elements
        #expect(boxes.map { $0["text"] } == ["first", "second"])
        #expect(boxes[0].rotation.double == -12.5 && boxes[0].align == "left")
        #expect(boxes[1].rotation.double?.sign == .plus)
        #expect(boxes[0].case == "upper" && boxes[1].case == "typed")
        #expect(boxes[1].fill == "#000000" && boxes[1].outlineWidth == 0)
        // The second one is moved into the picture.
        #expect(boxes[1].x.double == 0.5 && boxes[1].y.double == 0.5)
        let plain = try await server.get("/templates/plain").expect(200).json
        #expect(plain.name == "42" && plain.boxes == [])
        // Squares on 640×480. The second one is moved into the picture.
        #expect(template.pictures == [])
        let places = #"""
          [{"x": 0.0625, "y": 0.25, "width": 0.375, "height": 0.5, "rotation": -10, "fit": "contain"},
          {"x": 0.8125, "y": 0.75, "width": 0.1875, "height": 0.25, "rotation": 0, "fit": "contain"}]
          """#
        #expect(try plain.pictures == JSON(parsing: Array(places.utf8)))
        let meme = try await server.post([
          .field("template", template.id.text ?? ""), .field("texts", #"["a", "b"]"#),
        ]).expect(201)
        #expect(meme.json.captions.elements.map { $0["text"] } == ["a", "b"])
        try await server.delete("/templates/\(plain.id.text ?? "")", token: server.adminToken)
          .expect(204)
      }
      let third = try await run(folder, "import", folder.pictures.path)
      #expect(third.output.contains("1 already imported, 1 deleted earlier"), "\(third.output)")
    }
  }

  @Test func `templates that cannot be imported are named, and the others are imported`()
    async throws
  {
    try await withFolder { folder in
      try folder.put(.photo, as: "good/image.jpg")
      try folder.put(#"{"name": "Good", "aliases": ["good"]}"#, as: "good/template.json")
      try folder.put(#"{"name": "No picture"}"#, as: "a/template.json")
      try folder.put(.photo, as: "b/image.jpg")
      try folder.put(#"{"name": "", "boxes": [{}]}"#, as: "b/template.json")
      try folder.put(.photo, as: "c/default.jpg")
      try folder.put("name: &x a\\nsource: *x", as: "c/config.yml")
      try folder.put("no picture", as: "d/image.png")
      try folder.put(#"{"name": "d"}"#, as: "d/template.json")
      try folder.put(.photo, as: "e/default.jpg")
      try folder.put("name: " + String(repeating: "x", count: 70_000), as: "e/config.yml")
      try folder.put(.photo, as: "h/image.jpg")
      try folder.put(#"{"name": "h", "aliases": ["good"]}"#, as: "h/template.json")
      try FileManager.default.createSymbolicLink(
        at: folder.pictures.appending(path: "f"), withDestinationURL: URL(filePath: "/etc"))
      try folder.put(#"{"name": "g"}"#, as: "g/template.json")
      try FileManager.default.createSymbolicLink(
        at: folder.pictures.appending(path: "g/image.jpg"),
        withDestinationURL: URL(filePath: "/etc/passwd"))
      let result = try await run(folder, "import", folder.pictures.path)
      #expect(result.code == 1)
      for told in [
        "skipped a: image: The folder has no picture", "skipped b: name:", "boxes[0].",
        "skipped c: config.yml: line 1, column 7: Anchors and aliases are not supported.",
        "skipped d: file:", "skipped e: file: The file is larger",
        "skipped g: image: The folder has no picture", "skipped h: aliases: Another template",
        "imported 1 templates; 0 already imported, 0 deleted earlier, 7 failed",
      ] { #expect(result.output.contains(told), "\(told) in \(result.output)") }
      let none = try await run(folder, "import", "/nowhere")
      #expect(none.code == 1 && none.output.contains("/nowhere does not exist"))
    }
  }

  @Test func `the templates of this project are imported, and each fills its boxes`() async throws {
    try await withFolder { folder in
      let templates = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "templates")
      let result = try await run(folder, "import", templates.path)
      #expect(
        result.code == 0 && result.output.contains("imported 16 templates"), "\(result.output)")
      try await withServer(in: folder.data) { server in
        let list = try await server.get("/templates?limit=100").expect(200).json.items.elements
        #expect(list.count == 16)
        for template in list {
          #expect(template.image.width == 1200 && !template.boxes.elements.isEmpty)
          let texts = template.boxes.elements.compactMap { $0["text"].text }
          let json = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
          try await server.post(
            to: "/memes/preview",
            [.field("template", template.id.text ?? ""), .field("texts", json)]
          ).expect(200)
        }
      }
    }
  }

  @Test func `an exported folder is imported by another server`() async throws {
    try await withFolder { folder in
      try putMemegen(in: folder)
      _ = try await run(folder, "import", folder.pictures.path)
      let exported = folder.data.deletingLastPathComponent().appending(path: "exported")
      let formerPicture = exported.appending(path: "two/image.png")
      for _ in 1...2 {
        let result = try await run(folder, "export", exported.path)
        #expect(
          result.code == 0 && result.output.contains("exported 2 templates"), "\(result.output)")
        let progress = result.output.split(separator: "\n").filter { $0.hasPrefix("exporting: ") }
        #expect(progress.count == 1 && progress[0].hasPrefix("exporting: 100 %, 2 of 2 templates"))
        // Another template had the alias during an earlier export. An import would take this picture.
        #expect(!FileManager.default.fileExists(atPath: formerPicture.path))
        try Data(try Fixture.transparent.bytes).write(to: formerPicture)
      }
      try FileManager.default.removeItem(at: formerPicture)
      #expect(
        FileManager.default.fileExists(atPath: exported.appending(path: "two/template.json").path))
      let other = ImportFolder(
        pictures: exported, data: folder.data.deletingLastPathComponent().appending(path: "other"))
      try await other.makeDatabase()
      let result = try await run(other, "import", exported.path)
      #expect(
        result.code == 0 && result.output.contains("imported 2 templates"), "\(result.output)")
      var shown: [JSON] = []
      for data in [folder.data, other.data] {
        try await withServer(in: data) { server in
          for alias in ["two", "plain"] {
            let template = try await server.get("/templates/\(alias)").expect(200).json
            shown.append(
              .array([
                template.id, template.boxes, template.pictures, template.tags, template.source,
              ]))
          }
        }
      }
      #expect(shown[..<2] == shown[2...])
    }
  }

  @Test func `an export removes deleted and renamed templates of an earlier one, and nothing else`()
    async throws
  {
    try await withFolder { folder in
      try putMemegen(in: folder)
      for name in ["three", "four"] {
        try folder.put(.photo, as: "\(name)/default.jpg")
        try folder.put("name: \(name)", as: "\(name)/config.yml")
      }
      _ = try await run(folder, "import", folder.pictures.path)
      let place = ImportFolder(
        pictures: folder.data.deletingLastPathComponent().appending(path: "exported"),
        data: folder.data)
      let first = try await run(folder, "export", place.pictures.path)
      #expect(first.code == 0 && first.output.contains("exported 4 templates"), "\(first.output)")
      let note = "four/note.txt"
      try place.put("mine", as: note)
      try place.put(.photo, as: "own/image.jpg")
      try place.put(#"{"name": "Own"}"#, as: "own/template.json")
      try place.put(.photo, as: "foreign/image.jpg")
      try place.put(
        #"{"id": "6a4e1c62-0f5e-4f0e-9d3b-5d1f3b7c8a90", "name": "Foreign"}"#,
        as: "foreign/template.json")
      try await withServer(in: folder.data) { server in
        for alias in ["three", "four"] {
          let id = try await server.get("/templates/\(alias)").expect(200).json.id.text ?? ""
          try await server.delete("/templates/\(id)", token: server.adminToken).expect(204)
        }
        let plain = try await server.get("/templates/plain").expect(200).json.id.text ?? ""
        try await server.patch(
          "/templates/\(plain)", #"{"aliases": ["simple"]}"#, token: server.adminToken
        ).expect(200)
      }
      let second = try await run(folder, "export", place.pictures.path)
      #expect(
        second.code == 0 && second.output.contains("exported 2 templates"), "\(second.output)")
      let names = try FileManager.default.contentsOfDirectory(atPath: place.pictures.path).sorted()
      #expect(names == ["foreign", "four", "own", "simple", "two"])
      // A file of the operator stays, without the template.
      #expect(place.has(note) && !place.has("four/template.json") && !place.has("four/image.jpg"))
      for kept in ["own/image.jpg", "own/template.json", "foreign/image.jpg", "two/image.jpg"] {
        #expect(place.has(kept), "\(kept)")
      }
    }
  }

  @Test func `a damaged template is reported, and its picture of an earlier export stays`()
    async throws
  {
    try await withFolder { folder in
      try putMemegen(in: folder)
      _ = try await run(folder, "import", folder.pictures.path)
      let place = ImportFolder(
        pictures: folder.data.deletingLastPathComponent().appending(path: "exported"),
        data: folder.data)
      let first = try await run(folder, "export", place.pictures.path)
      #expect(first.code == 0, "\(first.output)")
      let picture = place.pictures.appending(path: "two/image.jpg")
      let before = try Data(contentsOf: picture)
      try CheckedFolder(url: folder.data).execute(
        """
        UPDATE blobs SET bytes = zeroblob(length(bytes))
        WHERE id = (SELECT blob FROM templates WHERE name = 'Two panels');
        """)
      let second = try await run(folder, "export", place.pictures.path)
      #expect(second.code == 1 && second.output.contains("skipped template "), "\(second.output)")
      #expect(second.output.contains("exported 1 templates"), "\(second.output)")
      #expect(try Data(contentsOf: picture) == before && place.has("two/template.json"))
    }
  }
}
