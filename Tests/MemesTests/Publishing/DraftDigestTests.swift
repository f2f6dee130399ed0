import Bytes
import Testing

@testable import Memes

struct DraftDigestTests {
  /// Not SHA-256, but every byte and its place count.
  private static let digester: Digester = { bytes in
    var state: [UInt8] = Array(0..<32)
    bytes.withUnsafeBytes {
      for (index, byte) in $0.enumerated() {
        state[index % 32] = state[index % 32] &* 31 &+ state[(index + 31) % 32] &+ byte
      }
    }
    guard let digest = Digest(state) else { preconditionFailure("32 bytes are a digest") }
    return digest
  }

  private let picture = digester(Bytes([1, 2, 3]))

  private func digest(_ style: CaptionStyle) throws -> Digest {
    let draft = MemeDraft(
      picture: .image(Bytes([1, 2, 3])), top: try CaptionText("top"), style: style)
    return draft.digest(picture: picture, Self.digester)
  }

  @Test func `a draft that chooses no style has the digest that it had before styles`() throws {
    let parts = [picture.hexadecimal, "top", "", "#ffffff", "#000000", "", "", ""]
    #expect(try digest(CaptionStyle()) == Digest(of: parts, Self.digester))
  }

  @Test func `every choice of style makes another draft`() throws {
    let changes: [(inout CaptionStyle) -> Void] = [
      { _ in }, { $0.font = FontID(stored: "comic") }, { $0.fill = .black },
      { $0.outline = .white }, { $0.outlineWidth = 0 }, { $0.outlineWidth = 0.2 },
      { $0.size = 0.2 }, { $0.letterCase = .typed }, { $0.align = .left }, { $0.align = .right },
    ]
    let digests = try changes.map { change in
      var style = CaptionStyle()
      change(&style)
      return try digest(style)
    }
    #expect(Set(digests).count == changes.count)
  }
}
