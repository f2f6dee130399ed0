import Bytes
import Foundation
import Imaging
import Support
import Testing
import Wire

/// `mememe export` in separate processes, and the import of its files.
struct ExportCommandTests {
  private func pixels(_ file: URL) throws -> [UInt8] {
    let bytes = Bytes([UInt8](try Data(contentsOf: file)))
    let header = try PictureHeader(
      of: bytes, kinds: PictureKind.standard, maximumPixels: 10_000_000)
    let buffer = PixelBuffer()
    try PictureDecoder.decode(bytes, header: header, maximumEdge: 20_000, into: buffer)
    return Array(buffer.pixels)
  }

  private func names(in folder: URL) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  /// Creates memes of every kind, for two accounts and anonymous.
  ///
  /// - Returns: The number of memes to export.
  private func fill(_ server: TestServer) async throws -> Int {
    let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
    let boxes = """
      [{"text": "=1+1, \\"x\\"\\r\\n", "x": 0, "y": 0.25, "width": 0.5, "height": 0.25, "rotation": -12.5,
        "fill": "#00ff00", "verticalAlign": "bottom"},
       {"text": "", "x": 0.5, "y": 0.5, "width": 0.3333333333333333, "height": 0.5, "case": "typed"}]
      """
    let forms: [(Fixture, [String: String], String?)] = [
      (.photo, ["top": " שלום 😀 ", "bottom": "a\nb"], nil),
      (.photo, ["captions": boxes, "altText": "two, \"boxes\""], ada),
      (.photo, ["top": "bar", "layout": "bar", "font": "comic", "visibility": "private"], ada),
      (
        .transparent, ["bottom": "x", "crop": "10,10,60,60", "maxEdge": "50", "fill": "#123456"],
        bob
      ),
      (
        .moving, ["top": "moves", "size": "0.3", "outlineWidth": "0", "visibility": "friends"], ada
      ),
      (.webp, ["format": "png", "align": "left", "case": "typed", "top": "x"], nil),
    ]
    for (picture, fields, token) in forms {
      let parts =
        [FormBody.Part.file("image", try picture.bytes)]
        + fields.sorted { $0.key < $1.key }.map { .field($0.key, $0.value) }
      try await server.post(parts, token: token).expect(201)
    }
    let edited = try await server.make(top: "before", token: ada)
    try await server.patch(edited, #"{"top": "after", "layout": "bar"}"#, token: ada).expect(200)
    let gone = try await server.make(top: "gone", token: ada)
    try await server.delete(gone, token: ada).expect(204)
    let remix = try #require(edited.split(separator: "/").last)
    try await server.post([.field("remix", String(remix)), .field("top", "again")]).expect(201)
    let sticker = try #require(
      try await server.post(
        to: "/templates", [.file("image", try Fixture.transparent.bytes), .field("name", "x")]
      ).expect(201).json.id.text)
    let boxed = #"{"template": "\#(sticker)", "x": 0, "y": 0.1, "width": 0.5, "height": 0.25"#
    try await server.post(
      [
        .field("pictures", #"[\#(boxed)}, \#(boxed), "rotation": 30, "fit": "cover"}]"#),
        .file("image", try Fixture.photo.bytes),
      ], token: ada
    ).expect(201)
    return forms.count + 3
  }

  @Test(arguments: [["--csv"], []])
  func `an export next to a running server is imported unchanged`(flags: [String]) async throws {
    try await withImportFolder { folder in
      let (one, two) = (
        folder.pictures.appending(path: "one"), folder.pictures.appending(path: "two")
      )
      var count = 0
      try await withServer(in: folder.data) { server in
        count = try await fill(server)
        let export = try await ServerProcess.run(
          ["export", one.path] + flags + ["--data", folder.data.path])
        #expect(export.code == 0, "\(export.output)")
        #expect(export.output.contains("exported \(count) memes"))
      }
      let list = flags.isEmpty ? "memes.jsonl" : "memes.csv"
      #expect(try names(in: one) == [list, "memes", "mememe-export.json", "pictures"])
      let copy = ImportFolder(
        pictures: one, data: folder.data.deletingLastPathComponent().appending(path: "copy"))
      let early = try await copy.run()
      #expect(early.code == 1)
      #expect(early.output.contains("author: No user has the username ada."))
      for name in ["ada", "bob"] { try await copy.makePerson(name) }
      let late = try await copy.run()
      #expect(late.code == 0, "\(late.output)")
      #expect(late.output.contains("3 already imported"))
      try await copy.check()
      #expect(
        try await ServerProcess.run(["export", two.path] + flags + ["--data", copy.data.path]).code
          == 0)
      #expect(
        try copy.text(of: list) == String(contentsOf: two.appending(path: list), encoding: .utf8))
      #expect(try names(in: one.appending(path: "memes")).count == count)
      for kind in ["pictures", "memes"] {
        let files = try names(in: one.appending(path: kind))
        #expect(try names(in: two.appending(path: kind)) == files)
        for file in files {
          #expect(
            try pixels(one.appending(path: "\(kind)/\(file)"))
              == pixels(two.appending(path: "\(kind)/\(file)")), "\(kind)/\(file)")
        }
      }
      // An import into the source folder adds nothing.
      let back = try await ImportFolder(pictures: one, data: folder.data).run()
      #expect(back.output.contains("imported 0 memes"), "\(back.output)")
    }
  }

  @Test func `an interrupted export resumes, and a repeated one removes deleted memes`()
    async throws
  {
    try await withImportFolder { folder in
      try folder.put(.transparent, as: "a.png")
      try folder.put("file,top\n" + (0..<200).map { "a.png,row \($0)" }.joined(separator: "\n"))
      #expect(try await folder.run().code == 0)
      let out = folder.pictures.appending(path: "out")
      let pictures = out.appending(path: "pictures")
      let command = try RunningCommand(
        ["export", out.path, "--data", folder.data.path],
        log: folder.data.deletingLastPathComponent().appending(path: "log"))
      let ended = try await command.end(by: SIGKILL) {
        ((try? FileManager.default.contentsOfDirectory(atPath: pictures.path)) ?? []).count >= 5
      }
      #expect(ended.code == SIGKILL)
      #expect(try !names(in: out).contains("memes.jsonl"))
      #expect(try await folder.export(to: out).code == 0)
      #expect(try names(in: pictures).count == 200)

      let files = try names(in: pictures).sorted()
      try Data(repeating: 7, count: try Fixture.transparent.bytes.count)
        .write(to: pictures.appending(path: files[0]))
      try FileManager.default.removeItem(at: pictures.appending(path: files[1]))
      try Data().write(to: pictures.appending(path: "\(files[2]).part"))
      try Data("mine".utf8).write(to: pictures.appending(path: "notes.txt"))
      try await withServer(in: folder.data) { server in
        let id = try #require(files[3].split(separator: ".").first)
        try await server.delete("/memes/\(id)", token: server.adminToken).expect(204)
        let again = try await folder.export(to: out)
        #expect(again.code == 0, "\(again.output)")
        #expect(again.output.contains("exported 199 memes"))
        #expect(again.output.contains("2 files written"))
      }
      #expect(try names(in: pictures) == Set(files).subtracting([files[3]]).union(["notes.txt"]))
      #expect(
        try Data(contentsOf: pictures.appending(path: files[0])) == Data(Fixture.transparent.bytes))
      let other = try await folder.export(to: out, "--csv")
      #expect(other.code == 1)
      #expect(other.output.contains("is not empty"))
      #expect(try await folder.export(to: folder.pictures).code == 1)
    }
  }

  @Test func `a repeated export removes the pictures of boxes that are gone`() async throws {
    try await withImportFolder { folder in
      let out = folder.pictures.appending(path: "out")
      let pictures = out.appending(path: "pictures")
      try await withServer(in: folder.data) { server in
        let sticker =
          try await server.post(
            to: "/templates", [.file("image", try Fixture.transparent.bytes), .field("name", "x")]
          ).expect(201).json.id.text ?? ""
        let box = #"{"template": "\#(sticker)", "x": 0, "y": 0, "width": 0.5, "height": 0.5}"#
        let meme = try await server.post([
          .field("pictures", "[\(box), \(box)]"), .file("image", try Fixture.photo.bytes),
        ]).expect(201).json
        let id = meme.id.text ?? ""
        #expect(try await folder.export(to: out).code == 0)
        #expect(try names(in: pictures) == ["\(id).jpg", "\(id)-1.png", "\(id)-2.png"])
        try await server.patch(
          "/memes/\(id)",
          #"{"pictures": [{"kept": 1, "x": 0, "y": 0, "width": 0.5, "height": 0.5}]}"#,
          token: meme.deleteToken.text
        ).expect(200)
        #expect(try await folder.export(to: out).code == 0)
        #expect(try names(in: pictures) == ["\(id).jpg", "\(id)-1.png"])
        try await server.delete("/memes/\(id)", token: server.adminToken).expect(204)
        #expect(try await folder.export(to: out).code == 0)
        #expect(try names(in: pictures).isEmpty)
      }
    }
  }

  @Test func `an export can be limited to one person and skips damaged pictures`() async throws {
    try await withImportFolder { folder in
      try await withServer(in: folder.data) { server in _ = try await fill(server) }
      let out = folder.pictures.appending(path: "out")
      let full = try await folder.export(
        to: out, "--author=ada", "--disk-floor-bytes", "1125899906842624")
      #expect(full.code == 1)
      #expect(full.output.contains("the disk of"), "\(full.output)")
      #expect(try !names(in: out).contains("memes.jsonl"))
      let adas = try await folder.export(to: out, "--author", "ada")
      #expect(adas.output.contains("exported 5 memes"), "\(adas.output)")
      let nobody = try await folder.export(to: out, "--author", "nobody_here")
      #expect(nobody.code == 1)
      #expect(nobody.output.contains("no user has the username"))

      let all = folder.pictures.appending(path: "all")
      try CheckedFolder(url: folder.data).execute(
        """
        UPDATE blobs SET bytes = zeroblob(length(bytes)) WHERE id IN (
          SELECT blob FROM pictures
          WHERE role = 0 AND meme = (SELECT min(seq) FROM memes WHERE author IS NOT NULL));
        """)
      let damaged = try await folder.export(to: all)
      #expect(damaged.code == 1)
      // Files that an earlier export wrote intact are kept.
      #expect(try await folder.export(to: out, "--author", "ada").code == 0)
      try FileManager.default.removeItem(at: out.appending(path: "pictures"))
      #expect(try await folder.export(to: out, "--author", "ada").code == 1)
      #expect(try names(in: out.appending(path: "pictures")).count == 6)
      #expect(try names(in: out.appending(path: "memes")).count == 5)
      #expect(damaged.output.contains("skipped meme "), "\(damaged.output)")
      #expect(damaged.output.contains("exported 8 memes"))
    }
  }

  @Test func `memes with damaged or missing rows are reported, and their earlier files stay`()
    async throws
  {
    try await withImportFolder { folder in
      try await withServer(in: folder.data) { server in
        for _ in 0..<3 { _ = try await server.make() }
      }
      let out = folder.pictures.appending(path: "out")
      let first = try await folder.export(to: out)
      #expect(first.code == 0 && first.output.contains("exported 3 memes"), "\(first.output)")
      try CheckedFolder(url: folder.data).execute(
        """
        UPDATE memes SET captions = '{' WHERE seq = (SELECT min(seq) FROM memes);
        DELETE FROM pictures WHERE role = 0 AND meme = (SELECT max(seq) FROM memes);
        """)
      let second = try await folder.export(to: out)
      #expect(second.code == 1, "\(second.output)")
      #expect(second.output.components(separatedBy: "skipped meme ").count == 3)
      #expect(second.output.contains("exported 1 memes"), "\(second.output)")
      #expect(second.output.contains("2 memes skipped"))
      for name in ["pictures", "memes"] {
        #expect(try names(in: out.appending(path: name)).count == 3)
      }
    }
  }
}
