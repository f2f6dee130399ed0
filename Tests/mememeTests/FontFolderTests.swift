#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// Fonts in the folder of `MEMEME_FONTS`.
  struct FontFolderTests {
    /// Writes a copy of an installed font with a family name that no machine has.
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

    @Test func `a font in the folder is listed, sampled and rendered after a start`() async throws {
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
      // The font has runes only, which are not among the tested scripts.
      #expect(added.hasLowercase.flag == false)
      #expect(added.scripts.elements.isEmpty)
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

    @Test func `an Impact font in the folder becomes that face, with its width class`()
      async throws
    {
      try await withDataFolder { folder in
        let fonts = folder.appending(path: "fonts")
        try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
        let source = "/usr/share/fonts/truetype/noto/NotoSansRunic-Regular.ttf"
        var font = FontFile(try Data(contentsOf: URL(filePath: source)))
        try font.rename("Noto Sans Runic", to: "Impact")
        try font.setWidthClass(3)
        try font.data.write(to: fonts.appending(path: "impact.ttf"))

        let server = try await ServerProcess(
          data: folder.appending(path: "data"), settings: ["MEMEME_FONTS": fonts.path])
        let list = try await server.get("/fonts").expect(200).json.items.elements
        let impact = try #require(list.first { $0.id.text == "impact" })
        #expect(impact.installed.text?.hasPrefix("Impact") == true, "\(impact)")
        #expect(list.count == 8)
        #expect(try await server.end(by: SIGTERM) == 0)
      }
    }

    @Test func `a missing font folder fails the start and names the setting`() async throws {
      let (code, output) = try await ServerProcess.run(
        ["serve"], environment: ["MEMEME_FONTS": "/nowhere/fonts", "MEMEME_PORT": "0"])
      #expect(code == 2)
      #expect(output.contains("MEMEME_FONTS"))
    }
  }

  /// A TrueType file with tables that are changed in place.
  private struct FontFile {
    private(set) var data: Data

    init(_ data: Data) { self.data = data }

    private func number(at place: Int, _ count: Int) -> Int {
      data[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func set(_ number: Int, at place: Int) {
      data[place] = UInt8(number >> 8 & 255)
      data[place + 1] = UInt8(number & 255)
    }

    private func table(_ tag: String) throws -> Int {
      let records = (0..<number(at: 4, 2)).map { 12 + 16 * $0 }
      let record = records.first { data[$0..<$0 + 4] == Data(tag.utf8) }
      return number(at: try #require(record) + 8, 4)
    }

    /// Renames the font in every record of the name table. The new name must not be longer than the old one.
    mutating func rename(_ old: String, to new: String) throws {
      let table = try table("name")
      let strings = table + number(at: table + 4, 2)
      for index in 0..<number(at: table + 2, 2) {
        let record = table + 6 + 12 * index
        let encoding: String.Encoding = number(at: record, 2) == 1 ? .ascii : .utf16BigEndian
        let (length, start) = (number(at: record + 8, 2), strings + number(at: record + 10, 2))
        guard let text = String(data: data[start..<start + length], encoding: encoding),
          text.hasPrefix(old), let bytes = new.data(using: encoding)
        else { continue }
        data.replaceSubrange(start..<start + bytes.count, with: bytes)
        set(bytes.count, at: record + 8)
      }
    }

    /// Sets the width class, from 1 (ultra-condensed) to 9. 5 is normal.
    mutating func setWidthClass(_ width: Int) throws { set(width, at: try table("OS/2") + 6) }
  }
#endif
