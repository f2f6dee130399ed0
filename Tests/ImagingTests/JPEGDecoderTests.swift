import Bytes
import CVips
import Testing

@testable import Imaging

/// The two ways in which a JPEG is decoded.
struct JPEGDecoderTests {
  /// A smooth picture with one sharp edge, in which no two parts look alike.
  private func scene(width: Int, height: Int) -> PixelBuffer {
    let buffer = TestPictures.plain(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let index = (y * width + x) * 3
        buffer.pixels[index] = UInt8(x * 255 / width)
        buffer.pixels[index + 1] = UInt8(y * 255 / height)
        buffer.pixels[index + 2] = 3 * x + y < width ? 220 : 40
      }
    }
    return buffer
  }

  private func isDecodedDirectly(
    _ file: Bytes, edge: Int = 4000, scale: Int = 1
  ) throws -> (PixelBuffer?, PictureHeader) {
    let header = try PictureHeader(of: file, maximumPixels: 10_000_000)
    let size = PixelBuffer.size(fitting: edge, width: header.width, height: header.height)
    let buffer = PixelBuffer()
    let isDecoded = try file.withUnsafeBytes { memory throws(ImagingError) in
      try JPEGDecoder.decode(memory, header: header, scale: scale, to: size, into: buffer)
    }
    return (isDecoded ? buffer : nil, header)
  }

  /// Decodes with libvips, which alone can crop.
  private func decodedByVips(_ file: Bytes, edge: Int) throws -> PixelBuffer {
    let header = try PictureHeader(of: file, maximumPixels: 10_000_000)
    let buffer = PixelBuffer()
    try PictureDecoder.decode(
      file, header: header,
      crop: CropArea(left: 0, top: 0, width: header.width, height: header.height),
      maximumEdge: edge, into: buffer)
    return buffer
  }

  private func differences(_ one: PixelBuffer, _ other: PixelBuffer) -> (mean: Double, most: Int) {
    let all = zip(one.pixels, other.pixels).map { abs(Int($0) - Int($1)) }
    return (Double(all.reduce(0, +)) / Double(max(1, all.count)), all.max() ?? 0)
  }

  @Test(arguments: 1...8, [(97, 61), (200, 33), (640, 480)])
  func `libjpeg-turbo alone makes the same pixels as libvips`(
    orientation: Int, size: (Int, Int)
  ) throws {
    let plain = try TestPictures.jpeg(scene(width: size.0, height: size.1))
    let file = TestPictures.withEXIF(plain, orientation: UInt8(orientation))
    let longest = max(size.0, size.1)
    for (edge, scale) in [(longest, 1), (longest * 10 / 19, 1), (longest * 10 / 39, 2)] {
      let (direct, header) = try isDecodedDirectly(file, edge: edge, scale: scale)
      let decoded = try #require(direct)
      let expected = try decodedByVips(file, edge: edge)
      #expect((decoded.width, decoded.height) == (expected.width, expected.height))
      let difference = differences(decoded, expected)
      if edge == longest {
        #expect(difference.most == 0)
        #expect((decoded.width, decoded.height) == (header.width, header.height))
      } else {
        // Where the scale leaves a rest, libjpeg-turbo keeps the last column, and libvips drops it.
        #expect(difference.mean < 4, "\(difference)")
      }
    }
  }

  @Test func `gray, progressive and subsampled pictures are decoded directly`() throws {
    let scene = scene(width: 120, height: 90)
    for file in [
      try TestPictures.save(scene, by: "jpegsave_buffer", space: VIPS_INTERPRETATION_B_W),
      try TestPictures.save(scene, by: "jpegsave_buffer") { $0.set("interlace", 1) },
      try PictureEncoder.jpeg(scene, quality: 90, fullColour: true),
    ] {
      let decoded = try #require(try isDecodedDirectly(file).0)
      #expect(differences(decoded, try decodedByVips(file, edge: 4000)).most == 0)
    }
  }

  @Test func `what needs a conversion or a finer filter is left to libvips`() throws {
    let scene = scene(width: 120, height: 90)
    let cmyk = try TestPictures.save(
      scene, by: "jpegsave_buffer", space: VIPS_INTERPRETATION_CMYK)
    #expect(try isDecodedDirectly(cmyk).0 == nil)
    #expect(try decoded(cmyk).channels == 3)
    let file = try TestPictures.jpeg(scene)
    #expect(try isDecodedDirectly(file, edge: 100).0 == nil)
    #expect(try decoded(file, maximumEdge: 100).width == 100)
    #expect(try isDecodedDirectly(try PictureEncoder.png(scene)).0 == nil)
  }

  @Test func `a damaged file that libvips accepts is still accepted`() throws {
    var bytes = TestPictures.array(try TestPictures.jpeg(scene(width: 120, height: 90)))
    // Bytes before the last marker, which a decoder skips with a warning.
    bytes.insert(contentsOf: [1, 2, 3, 4], at: bytes.count - 2)
    var damaged = bytes
    damaged[bytes.count / 2] ^= 0x55
    for file in [Bytes(bytes), Bytes(damaged)] {
      let expected = try decodedByVips(file, edge: 4000)
      #expect(differences(try decoded(file, maximumEdge: 4000), expected).most == 0)
    }
  }
}
