import Foundation
import Testing

@testable import Imaging

/// Outlines of glyphs in color.
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
}
