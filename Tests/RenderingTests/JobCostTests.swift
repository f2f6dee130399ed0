import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import DrawingHelper

struct JobCostTests {
  /// The cost of a progressive picture whose last scan is repeated `count` more times.
  private func cost(repeating count: Int) throws -> (scans: Int, cost: Int) {
    let file = try Fixture.progressive.bytes
    let last = try #require(
      file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
    let scan = file[last..<file.count - 2]
    let longer = file.dropLast(2) + (0..<count).flatMap { _ in scan } + file.suffix(2)
    let header = try PictureHeader(of: Bytes(Array(longer)), maximumPixels: 1_000_000)
    let size = PixelSize(width: header.width, height: header.height)
    return (header.scans, JobCost.still(header, output: size, [.jpeg], nil))
  }

  /// The cost of a text in a box that covers a picture of 2000×1500 pixels.
  private func cost(of text: String) throws -> Int {
    let place = try #require(CaptionBox.Place(x: 0, y: 0, width: 1, height: 1))
    var recipe = Recipe()
    recipe.captions = [CaptionBox(text: try CaptionText(text), place: place)]
    return JobCost.made(PixelSize(width: 2000, height: 1500), [.jpeg], recipe)
  }

  /// By themselves, and made by U+FE0F, by U+20E3, or of other emoji.
  @Test(arguments: ["❤", "❤️", "1️⃣", "1\u{20E3}", "🏳️‍🌈", "🇩🇪"])
  func `all emoji cost as much, and more than letters`(emoji: String) throws {
    #expect(try cost(of: emoji) == cost(of: "👍"))
    #expect(try cost(of: emoji) > cost(of: "x") + 2_000_000)
  }

  @Test func `a digit is no emoji`() throws {
    #expect(try cost(of: "1") == cost(of: "x"))
    #expect(try cost(of: "©") == cost(of: "x"))
  }

  @Test func `each scan of a progressive picture adds to its cost`() throws {
    let (few, many) = (try cost(repeating: 0), try cost(repeating: 40))
    #expect(many.scans == few.scans + 40)
    // Reading a JPEG with one scan costs about 0.6 for each pixel.
    #expect(many.cost > few.cost + 2 * 320 * 240)
  }
}
