import Bytes
import Testing

@testable import Imaging

/// A crop is read as if the picture contained nothing else.
struct CropTests {
  private func decoded(
    _ file: Bytes, _ crop: CropArea?, maximumEdge: Int = 2048
  ) throws(ImagingError) -> PixelBuffer {
    let header = try PictureHeader(of: file, maximumPixels: 10_000_000)
    let buffer = PixelBuffer()
    try PictureDecoder.decode(
      file, header: header, crop: crop, maximumEdge: maximumEdge, into: buffer)
    return buffer
  }

  /// A picture in which every position has its own color.
  private func slopes(width: Int, height: Int, channels: Int = 3) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: channels)
    for y in 0..<height {
      for x in 0..<width {
        let start = (y * width + x) * channels
        buffer.pixels[start] = UInt8(x * 255 / width)
        buffer.pixels[start + 1] = UInt8(y * 255 / height)
        buffer.pixels[start + 2] = UInt8((x + y) * 255 / (width + height))
        if channels == 4 { buffer.pixels[start + 3] = UInt8(255 - x * 200 / width) }
      }
    }
    return buffer
  }

  private func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
    guard [one.width, one.height, one.channels] == [other.width, other.height, other.channels]
    else { return .max }
    return zip(one.pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  @Test(arguments: 1...8)
  func `a crop applies to the upright picture, whatever its orientation`(orientation: Int) throws {
    let file = TestPictures.withEXIF(
      try PictureEncoder.jpeg(slopes(width: 96, height: 64), quality: 100),
      orientation: UInt8(orientation))
    let whole = try decoded(file, nil)
    for (left, top, width, height) in [
      (0, 0, whole.width, whole.height), (7, 11, 31, 23), (whole.width - 9, whole.height - 5, 9, 5),
      (0, 20, whole.width, 1), (40, 0, 1, whole.height), (3, 2, 1, 1),
    ] {
      let area = CropArea(left: left, top: top, width: width, height: height)
      let crop = try decoded(file, area)
      let expected = PixelBuffer()
      try expected.copy(whole)
      expected.crop(to: area)
      #expect(difference(crop, expected) == 0, "\(area)")
    }
  }

  @Test(arguments: 1...8, [1, 3])
  func `only the crop is visible, at any scale`(orientation: Int, shift: Int) throws {
    // The visible quarter has one color, and its surroundings have another.
    let (width, height) = (2048 + 8 * shift, 1536 + 8 * shift)
    let picture = TestPictures.plain(width: width, height: height, level: 0)
    let stored = CropArea(left: 520 + shift, top: 392 + shift, width: 1040, height: 784)
    for y in stored.top..<stored.top + stored.height {
      for byte in (y * width + stored.left) * 3..<(y * width + stored.left + stored.width) * 3 {
        picture.pixels[byte] = 200
      }
    }
    let file = TestPictures.withEXIF(
      try PictureEncoder.jpeg(picture, quality: 95), orientation: UInt8(orientation))
    let isTurned = orientation > 4
    let (seenWidth, seenHeight) = isTurned ? (height, width) : (width, height)
    // The visible position of the stored area. The mapping back is the same except for the two quarter turns, which
    // swap.
    let inverse = [1, 2, 3, 4, 5, 8, 7, 6][orientation - 1]
    let area = stored.stored(orientation: inverse, uprightWidth: width, height: height)
    #expect(
      area.stored(orientation: orientation, uprightWidth: seenWidth, height: seenHeight) == stored)
    for edge in [1040, 700, 500, 260, 130, 64, 16] {
      let crop = try decoded(file, area, maximumEdge: edge)
      #expect(max(crop.width, crop.height) == edge)
      let ratio = Double(crop.width) / Double(crop.height)
      let wanted = Double(area.width) / Double(area.height)
      #expect(abs(ratio / wanted - 1) < 1.5 / Double(min(crop.width, crop.height)))
      // JPEG blocks that straddle the edge mix in a little of the other color.
      let darkest = crop.pixels.min() ?? 0
      #expect(darkest > 150, "\(edge) pixels: \(darkest)")
    }
  }

  @Test(arguments: [3, 4])
  func `PNG and WebP are cropped too, with their transparency`(channels: Int) throws {
    let source = slopes(width: 120, height: 80, channels: channels)
    let area = CropArea(left: 30, top: 10, width: 50, height: 60)
    let expected = PixelBuffer()
    try expected.copy(source)
    expected.crop(to: area)
    let webp = try TestPictures.save(source, by: "webpsave_buffer") { $0.set("lossless", 1) }
    for file in [try PictureEncoder.png(source), webp] {
      #expect(difference(try decoded(file, area), expected) == 0)
      let small = PixelBuffer()
      try expected.scale(toFit: 30, into: small)
      #expect(difference(try decoded(file, area, maximumEdge: 30), small) <= 4)
    }
  }

  @Test func `a file that ends below the crop is still broken`() throws {
    let picture = slopes(width: 640, height: 480)
    let area = CropArea(left: 0, top: 0, width: 640, height: 40)
    let lossless = try TestPictures.save(picture, by: "webpsave_buffer") { $0.set("lossless", 1) }
    for file in [
      try PictureEncoder.jpeg(picture, quality: 90), try PictureEncoder.png(picture), lossless,
    ] {
      for edge in [640, 40] {
        let part = try #require(file.slice(0..<file.count * 3 / 4))
        let name = failure { () throws(ImagingError) in
          _ = try decoded(part, area, maximumEdge: edge)
        }
        #expect(name == "broken")
        #expect(try decoded(file, area, maximumEdge: edge).width == edge)
      }
    }
  }

  @Test func `thin crops of large pictures keep at least a pixel`() throws {
    let file = try PictureEncoder.jpeg(slopes(width: 3000, height: 2000), quality: 90)
    for (area, size) in [
      (CropArea(left: 0, top: 1999, width: 3000, height: 1), [256, 1]),
      (CropArea(left: 2999, top: 0, width: 1, height: 2000), [1, 256]),
      (CropArea(left: 100, top: 7, width: 2048, height: 9), [256, 1]),
      (CropArea(left: 2999, top: 1999, width: 1, height: 1), [1, 1]),
    ] {
      let crop = try decoded(file, area, maximumEdge: 256)
      #expect([crop.width, crop.height] == size)
    }
  }
}
