import Bytes
import Support
import Testing

@testable import Imaging

/// Compares pictures of every color type with the output of Pillow and lcms, which `script/fixtures` made.
struct ColourTruthTests {
  @Test(arguments: try ColourFixture.all)
  func `colors match those of a color-managed reader`(fixture: ColourFixture) throws {
    let picture = try decoded(Bytes(fixture.bytes))
    let expected = try decoded(Bytes(fixture.expectedBytes))
    #expect([picture.width, picture.height] == [expected.width, expected.height])
    #expect(picture.channels == expected.channels)
    let (worst, place) = picture.farthest(from: expected)
    // The loss of JPEG is a few levels. Other formats have only rounding errors.
    let tolerance = fixture.name.hasSuffix(".jpg") ? 6 : 2
    #expect(
      worst <= tolerance, "\(place): \(picture.rgba(place)), expected \(expected.rgba(place))")
  }

  @Test(arguments: try ColourFixture.all)
  func `a reduced picture keeps its colors`(fixture: ColourFixture) throws {
    let picture = try decoded(Bytes(fixture.bytes), maximumEdge: 24)
    let expected = try decoded(Bytes(fixture.expectedBytes))
    #expect([picture.width, picture.height, picture.channels] == [24, 16, expected.channels])
    // The middle of each 8×8 patch is now a 4×4 patch, whose edges are mixed with its neighbors.
    for row in 0..<4 {
      for column in 0..<6 {
        let (small, large) = ((4 * column + 2, 4 * row + 2), (8 * column + 4, 8 * row + 4))
        let distance = PixelBuffer.distance(picture.rgba(small), expected.rgba(large))
        #expect(distance <= 12, "\(small): \(picture.rgba(small)), \(expected.rgba(large))")
      }
    }
  }
}

extension PixelBuffer {
  typealias Place = (x: Int, y: Int)

  func rgba(_ place: Place) -> [UInt8] {
    let (start, bytes) = ((place.y * width + place.x) * channels, pixels)
    return [bytes[start], bytes[start + 1], bytes[start + 2], hasAlpha ? bytes[start + 3] : 255]
  }

  /// The largest channel difference over black and over white, so that invisible colors do not count.
  // A plain loop, because tests call this for millions of pixels without optimization.
  static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    func shown(_ pixel: [UInt8], _ channel: Int, over ground: Int) -> Int {
      (Int(pixel[channel]) * Int(pixel[3]) + ground * (255 - Int(pixel[3]))) / 255
    }
    if one == other { return 0 }
    var (channel, largest) = (0, 0)
    while channel < 3 {
      let black = abs(shown(one, channel, over: 0) - shown(other, channel, over: 0))
      let white = abs(shown(one, channel, over: 255) - shown(other, channel, over: 255))
      largest = max(largest, black, white)
      channel += 1
    }
    return largest
  }

  func farthest(from other: PixelBuffer) -> (Int, Place) {
    var worst = (-1, (x: 0, y: 0))
    for y in 0..<height {
      for x in 0..<width {
        let distance = Self.distance(rgba((x, y)), other.rgba((x, y)))
        if distance > worst.0 { worst = (distance, (x, y)) }
      }
    }
    return worst
  }
}
