import Foundation
import Testing

@testable import Imaging

/// Glyphs in color, and their outlines.
struct GlyphShapeTests {
  @Test func `the outline of an emoji is round`() throws {
    let picture = TestPictures.plain(width: 900, height: 900, level: 255)
    var look = CaptionLook()
    (look.outlineWidth, look.size) = (0.3, 1)
    let box = InkBox(left: 0, top: 0, width: 900, height: 900)
    _ = try CaptionArtist().draw(BoxedText("🔴", in: box, at: .middle, look: look), on: picture)
    // Rows and columns with ink.
    let rows = (0..<900).filter { picture.distance(450, $0, [255, 255, 255]) > 128 }
    let middle = Double((rows.first ?? 0) + (rows.last ?? 0)) / 2
    func radius(_ angle: Double) -> Double {
      stride(from: 449.0, to: 0, by: -0.25).first { radius in
        let (x, y) = (450 + radius * cos(angle), middle + radius * sin(angle))
        return picture.distance(Int(x.rounded()), Int(y.rounded()), [255, 255, 255]) > 128
      } ?? 0
    }
    // Copies of the emoji in 16 directions would leave dents of 2 pixels between them.
    let directions = (0..<16).map { 2 * .pi * Double($0) / 16 }
    let along = directions.reduce(0) { $0 + radius($1) / 16 }
    let between = directions.reduce(0) { $0 + radius($1 + .pi / 16) / 16 }
    #expect(along > 200)
    #expect(abs(along - between) < 1)
  }

  @Test(arguments: [0, 0.1])
  func `rotated emoji in a row erase nothing of each other`(outlineWidth: Double) throws {
    let artist = try CaptionArtist()
    var look = CaptionLook()
    (look.outlineWidth, look.size) = (outlineWidth, 1)
    let box = InkBox(left: 50, top: 150, width: 300, height: 100)
    let inks = try [0.0, 45].map { rotation in
      let picture = TestPictures.plain(width: 400, height: 400, level: 128)
      let text = BoxedText("🟥🟥🟥", in: box, at: .middle, rotation: rotation, look: look)
      _ = try artist.draw(text, on: picture)
      return (0..<400 * 400).count { picture.distance($0 % 400, $0 / 400, [128, 128, 128]) > 64 }
    }
    #expect(inks[0] > 20_000)
    #expect(abs(inks[0] - inks[1]) < inks[0] / 40)
  }
}
