import Bytes
import Support
import Testing

@testable import Imaging

/// Pictures of every kind of colour against what Pillow with lcms makes of them: `script/fixtures`.
struct ColourTruthTests {
  @Test(arguments: try ColourFixture.all)
  func `what comes out is what a colour-managed reader sees`(fixture: ColourFixture) throws {
    let picture = try decoded(Bytes(fixture.bytes))
    let expected = try decoded(Bytes(fixture.expectedBytes))
    #expect([picture.width, picture.height] == [expected.width, expected.height])
    #expect(picture.channels == expected.channels)
    let (worst, place) = picture.farthest(from: expected)
    // JPEG's own loss is a few levels; of everything else there is only rounding.
    let tolerance = fixture.name.hasSuffix(".jpg") ? 6 : 2
    #expect(
      worst <= tolerance, "\(place): \(picture.rgba(place)), expected \(expected.rgba(place))")
  }

  @Test(arguments: try ColourFixture.all)
  func `a picture that shrinks keeps its colours`(fixture: ColourFixture) throws {
    let picture = try decoded(Bytes(fixture.bytes), maximumEdge: 24)
    let expected = try decoded(Bytes(fixture.expectedBytes))
    #expect([picture.width, picture.height, picture.channels] == [24, 16, expected.channels])
    // The middle of each patch of 8 by 8 is now a patch of 4 by 4; its edges are mixed with the neighbours'.
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

  /// The largest difference of a channel, of colours as they are over black and over white: what nobody sees does not count.
  // Tests ask this of millions of pixels, and are not optimized.
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
