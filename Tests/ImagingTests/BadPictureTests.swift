import Bytes
import Testing

@testable import Imaging

struct BadPictureTests {
  @Test(arguments: [0.3, 0.6, 0.9])
  func `a file that ends early is broken, whatever its format`(share: Double) throws {
    let noisy = noise(width: 96, height: 96)
    let files = [
      try PictureEncoder.jpeg(noisy, quality: 85), try PictureEncoder.png(noisy),
      try TestPictures.save(noisy, by: "gifsave_buffer"),
      try TestPictures.save(noisy, by: "webpsave_buffer"),
      try TestPictures.save(noisy, by: "jpegsave_buffer") { $0.set("interlace", 1) },
    ]
    for file in files {
      let cut = try #require(file.slice(0..<Int(Double(file.count) * share)))
      let kind = try #require(PictureKind(sniffing: cut))
      #expect(failure { () throws(ImagingError) in _ = try decoded(cut) } == "broken", "\(kind)")
      // A smaller render reads the file with other code.
      #expect(
        failure { () throws(ImagingError) in _ = try decoded(cut, maximumEdge: 20) } == "broken",
        "\(kind), smaller")
    }
  }

  @Test(arguments: [
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "<?xml version='1.0'?><svg/>",
    "%PDF-1.7\n%", "BM000000000000", "II*\0", "\0\0\0\u{18}ftypheic", "", "P6 1 1 255 abc",
    "RIFF0000WAVE",
    "#EXTM3U", "GIF88a",
  ])
  func `other formats than JPEG, PNG, GIF and WebP are rejected`(text: String) {
    #expect(
      failure { () throws(ImagingError) in _ = try decoded(Bytes(text)) } == "unsupported")
  }

  @Test func `magic bytes alone make no picture`() {
    for start: [UInt8] in [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]] {
      let file = Bytes(start + (0..<200).map { UInt8($0) })
      #expect(failure { () throws(ImagingError) in _ = try decoded(file) } == "broken")
    }
    for start in ["GIF89a", "RIFF\u{7F}\0\0\0WEBPVP8 "] {
      #expect(
        failure { () throws(ImagingError) in _ = try decoded(Bytes(start + "xyz")) } == "broken")
    }
  }

  @Test func `a header with too many pixels is rejected without decoding`() {
    let file = TestPictures.pngHeader(width: 60_000, height: 60_000)
    #expect(
      failure { () throws(ImagingError) in
        _ = try PictureHeader(of: file, maximumPixels: 100_000_000)
      } == "tooLarge")
  }

  @Test func `frames count towards the pixel limit`() throws {
    let strip = TestPictures.quarters(width: 40, height: 120)
    let file = try TestPictures.save(strip, by: "gifsave_buffer") { $0.set("page-height", 40) }
    let header = try PictureHeader(of: file, maximumPixels: 4800)
    #expect([header.width, header.height, header.frames] == [40, 40, 3])
    #expect(
      failure { () throws(ImagingError) in _ = try PictureHeader(of: file, maximumPixels: 4799) }
        == "tooLarge")
  }

  @Test func `a JPEG with too many scans is rejected`() throws {
    let progressive = try TestPictures.save(by: "jpegsave_buffer") { $0.set("interlace", 1) }
    let scans = JPEGScans.count(in: progressive, upTo: 1000)
    #expect((2...20).contains(scans))
    #expect(try decoded(progressive).isQuarters(TestPictures.corners, within: 8))
    let empty: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3]
    let many = Array(repeatElement(empty, count: 70).joined())
    // The second file puts them after a marker without a length, followed by bytes that look like the greatest length.
    for more in [many, [0xFF, 0x02, 0xFF, 0xFF] + many] {
      let file = Array(TestPictures.array(progressive).dropLast(2)) + more
      #expect(failure { () throws(ImagingError) in _ = try decoded(Bytes(file)) } == "tooLarge")
    }
  }

  @Test func `the scans after one with all components are not read`() throws {
    let sequential = try TestPictures.save(by: "jpegsave_buffer") { $0.set("interlace", 0) }
    let empty: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3]
    let more = Array(repeatElement(empty, count: 70).joined())
    let file = Bytes(Array(TestPictures.array(sequential).dropLast(2)) + more)
    #expect(try PictureHeader(of: file, maximumPixels: 1_000_000).scans == 1)
    // The decoder ends after the first scan as well, or rejects the second.
    do throws(ImagingError) {
      #expect(try decoded(file).isQuarters(TestPictures.corners, within: 8))
    } catch {
      guard case .broken = error else { throw error }
    }
  }

  @Test func `the decoder holds a progressive JPEG, even if it has one scan`() throws {
    let files = try [0, 1].map { interlace in
      try TestPictures.save(by: "jpegsave_buffer") { $0.set("interlace", interlace) }
    }
    let progressive = TestPictures.array(files[1])
    let scans = progressive.indices.filter { progressive[$0...].starts(with: [0xFF, 0xDA]) }
    let first = Bytes(Array(progressive[..<scans[1]]) + [0xFF, 0xD9])
    let headers = try (files + [first]).map { file in
      try PictureHeader(of: file, maximumPixels: 1_000_000)
    }
    #expect(headers[0].scans == 1 && headers[2].scans == 1)
    #expect(headers[0].decodingBytes < headers[1].decodingBytes)
    #expect(headers[2].decodingBytes == headers[1].decodingBytes)
  }

  @Test func `a PNG with too much compressed text is rejected, but plain text is accepted`()
    throws
  {
    let picture = try PictureEncoder.png(TestPictures.quarters())
    let text = [UInt8](repeating: 65, count: 20_000)
    let name = Array("name".utf8)
    for (type, start) in [("zTXt", name + [0, 0]), ("iTXt", name + [0, 1, 0, 0, 0])] {
      let file = TestPictures.withChunk(picture, type, start + text, count: 60)
      #expect(failure { () throws(ImagingError) in _ = try decoded(file) } == "tooLarge", "\(type)")
    }
    for (type, start) in [("tEXt", name + [0]), ("iTXt", name + [0, 0, 0, 0, 0])] {
      let file = TestPictures.withChunk(picture, type, start + text, count: 60)
      #expect(try decoded(file).isQuarters(TestPictures.corners, within: 8), "\(type)")
    }
  }

  @Test(arguments: [
    ("vips_tracked: out of memory --- size == 48MB\n", "outOfMemory"),
    ("VipsJpeg: Insufficient memory (case 4)\n", "outOfMemory"),
    (
      "heif: Memory allocation error: Unspecified: Cannot allocate image memory. (6.0)\n",
      "outOfMemory"
    ),
    ("VipsIcc: Read from memory error. Got 120 bytes, block should be of 132 bytes\n", "broken"),
    (
      "heif: Memory allocation error: Security limit exceeded: Maximum number of child boxes exceeded. (6.1000)\n",
      "broken"
    ),
    ("unknown chunk exceeds memory limits\n", "broken"),
  ])
  func `only a failed allocation is a lack of memory`(message: String, name: String) {
    #expect(ImagingError(reading: message).name == name)
  }

  @Test func `an AVIF that is wider than its decoder accepts is too large`() throws {
    try Vips.allow([.avif])
    let wide = try TestPictures.save(
      TestPictures.plain(width: 17_000, height: 16), by: "heifsave_buffer"
    ) {
      $0.set("compression", 4)
      $0.set("effort", 0)
    }
    let error = failure { () throws(ImagingError) in
      let header = try PictureHeader(of: wide, kinds: [.avif], maximumPixels: 100_000_000)
      try PictureDecoder.decode(wide, header: header, maximumEdge: 200, into: PixelBuffer())
    }
    // libheif 1.19 and later have no limit on edges.
    #expect(error == "tooLarge" || error == nil)
  }

  private func noise(width: Int, height: Int) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: 3)
    var state: UInt32 = 1
    for index in buffer.pixels.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      buffer.pixels[index] = UInt8(state >> 24)
    }
    return buffer
  }
}
