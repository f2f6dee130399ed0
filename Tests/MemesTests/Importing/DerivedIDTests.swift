import Bytes
import Foundation
import Testing

@testable import Memes

/// IDs of imported rows that have none.
struct DerivedIDTests {
  /// Not SHA-256, but it depends on every byte and its position.
  private let digest: Digester = { bytes in
    Digest { memory in
      bytes.withUnsafeBytes { bytes in
        for (index, byte) in bytes.enumerated() {
          let (place, before) = (index % 32, (index + 31) % 32)
          memory[place] = memory[place] &* 31 &+ memory[before] &+ byte
        }
        for index in 32..<160 {
          memory[index % 32] = memory[index % 32] &* 31 &+ memory[(index + 31) % 32]
        }
      }
    }
  }

  private func row(
    _ top: String, at time: Int64? = nil, by author: String? = nil, file: String = "a.jpg"
  ) throws -> ImportRow {
    var recipe = Recipe()
    recipe.top = try CaptionText(top)
    return ImportRow(
      draft: MemeDraft(picture: .image(Bytes("picture")), recipe: recipe), file: file,
      createdAt: time.map(Timestamp.init(millisecondsSince1970:)),
      author: try author.map(Username.init(_:)))
  }

  private func id(_ row: ImportRow) -> MemeID {
    row.derivedID(row.draft.digest(picture: digest(Bytes("picture")), digest), digest)
  }

  @Test func `equal content gets the same id wherever its picture is`() throws {
    #expect(try id(row("a", file: "b/c.jpg")) == id(row("a")))
    let rows = try [
      row("a"), row("b"), row("a", at: 5), row("a", at: 6), row("a", by: "ada"),
      row("a", by: "bob"),
    ]
    #expect(Set(rows.map(id)).count == rows.count)
  }

  @Test func `a derived id is a UUID of version 8`() throws {
    for byte in [0x00, 0xFF] as [UInt8] {
      let digest = try #require(Digest([UInt8](repeating: byte, count: 32)))
      let text = MemeID.version8(digest).description
      #expect(
        text
          == (byte == 0
            ? "00000000-0000-8000-8000-000000000000" : "ffffffff-ffff-8fff-bfff-ffffffffffff"))
    }
  }
}
