#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// Fonts that an operator drops into the folder of `MEMEME_FONTS`.
  struct FontFolderTests {
    /// A font of the machine under a family's name that no machine has.
    private func writeFont(to folder: URL) throws {
      let source = "/usr/share/fonts/truetype/noto/NotoSansRunic-Regular.ttf"
      var font = try Data(contentsOf: URL(filePath: source))
      for (old, new) in [("Noto Sans Runic", "Memo Sans Runic")] {
        for encoding in [String.Encoding.utf16BigEndian, .ascii] {
          guard let from = old.data(using: encoding), let to = new.data(using: encoding) else {
            continue
          }
          while let range = font.range(of: from) { font.replaceSubrange(range, with: to) }
        }
      }
      try font.write(to: folder.appending(path: "memo.ttf"))
    }

    @Test func `a font in the folder is listed, shown and drawn after a start`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-fonts-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let fonts = folder.appending(path: "fonts/more")
      try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
      try writeFont(to: fonts)
      try Data("not a font".utf8).write(to: fonts.appending(path: "notes.ttf"))

      let server = try await ServerProcess(
        data: folder.appending(path: "data"),
        settings: ["MEMEME_FONTS": folder.appending(path: "fonts").path])
      let list = try await server.get("/fonts").expect(200).json.items.elements
      #expect(list.count == 9)
      let added = try #require(list.last)
      #expect(added.id.text == "memo-sans-runic")
      #expect(added.family.text == "Memo Sans Runic")
      #expect(added.installed.text == "Memo Sans Runic")
      let sample = try await server.get(try #require(added.sample.url.text)).expect(200)
      #expect(sample["content-type"] == "image/png")

      let meme = try await server.post(
        FormBody([
          .file("image", try Fixture.photo.bytes), .field("top", "ᚠᚢᚦ"),
          .field("font", "memo-sans-runic"),
        ])
      ).expect(201).json
      #expect(meme.style.font.text == "memo-sans-runic")
      #expect(try await server.end(by: SIGTERM) == 0)
    }

    @Test func `a folder that is not there stops the start, with the setting's name`() async throws
    {
      let (code, output) = try await ServerProcess.run(
        ["serve"], environment: ["MEMEME_FONTS": "/nowhere/fonts", "MEMEME_PORT": "0"])
      #expect(code == 2)
      #expect(output.contains("MEMEME_FONTS"))
    }
  }
#endif
