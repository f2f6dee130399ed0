import Bytes
import Testing

@testable import Imaging

/// Formats that are written, and formats that are read only if they are enabled.
struct FormatTests {
  private static let all = Set(PictureKind.allCases)

  private func decodedAny(_ file: Bytes) throws -> PixelBuffer {
    try Vips.allow(Self.all)
    #expect(Self.all.allSatisfy(Vips.reads))
    let header = try PictureHeader(of: file, kinds: Self.all, maximumPixels: 100_000)
    let buffer = PixelBuffer()
    try PictureDecoder.decode(file, header: header, maximumEdge: 2048, into: buffer)
    return buffer
  }

  @Test func `a written file has its format and keeps the transparency`() throws {
    let encoders: [(PictureKind, (PixelBuffer) throws(ImagingError) -> Bytes)] = [
      (.webp, PictureEncoder.webp), (.gif, PictureEncoder.gif), (.avif, PictureEncoder.avif),
    ]
    for (kind, encode) in encoders {
      #expect(PictureEncoder.works(encode))
      let file = try encode(TestPictures.quarters())
      #expect(PictureKind(sniffing: file) == kind)
      let picture = try decodedAny(file)
      #expect([picture.width, picture.height, picture.channels] == [64, 48, 3])
      #expect(picture.isQuarters(TestPictures.corners, within: 12), "\(kind)")
      let seeThrough = try decodedAny(try encode(TestPictures.quarters(alpha: 0)))
      #expect(seeThrough.channels == 4, "\(kind)")
      #expect(seeThrough.pixels[4 * (64 * 24 + 4) + 3] == 0, "\(kind)")
      #expect(seeThrough.pixels[4 * (64 * 24 + 40) + 3] == 255, "\(kind)")
    }
  }

  @Test func `a missing encoder does not work`() {
    let works = PictureEncoder.works { _ throws(ImagingError) in
      throw .library(operation: "nothingsave_buffer", message: "")
    }
    #expect(!works)
  }

  @Test func `AVIF and HEIC are recognized by a compatible brand`() throws {
    let avif = try PictureEncoder.avif(TestPictures.quarters())
    let heic = try TestPictures.save(by: "heifsave_buffer") {
      $0.set("compression", 1)
      $0.set("Q", 90)
    }
    for (file, kind) in [(avif, PictureKind.avif), (heic, .heic)] {
      var bytes = file.withUnsafeBytes { Array($0) }
      for major in kind == .avif ? ["mif1", "avis"] : ["mif1"] {
        bytes.replaceSubrange(8..<12, with: major.utf8)
        #expect(PictureKind(sniffing: Bytes(bytes)) == kind)
        #expect(
          try decodedAny(Bytes(bytes)).isQuarters(TestPictures.corners, within: 12), "\(kind)")
      }
    }
    // Only brands inside the box count.
    for start in [
      "\0\0\0\u{10}ftypmif1\0\0\0\0avif", "\0\0\0\u{14}ftypmif1avif",
      "\0\0\0\u{14}ftypmif1", "\0\0\0\u{14}ftypavis\0\0\0\0avis",
    ] {
      #expect(PictureKind(sniffing: Bytes(start)) == nil)
    }
  }

  @Test func `AVIF and HEIC are read only if they are allowed`() throws {
    let avif = try PictureEncoder.avif(TestPictures.quarters())
    let heic = try TestPictures.save(by: "heifsave_buffer") {
      $0.set("compression", 1)
      $0.set("Q", 90)
    }
    for (file, kind) in [(avif, PictureKind.avif), (heic, .heic)] {
      #expect(PictureKind(sniffing: file) == kind)
      let unasked = failure { () throws(ImagingError) in _ = try decoded(file) }
      #expect(unasked == "unsupported")
      #expect(try decodedAny(file).isQuarters(TestPictures.corners, within: 12), "\(kind)")
      let header = try PictureHeader(of: file, kinds: [kind], maximumPixels: 64 * 48)
      #expect([header.width, header.height, header.frames] == [64, 48, 1])
      let large = failure { () throws(ImagingError) in
        _ = try PictureHeader(of: file, kinds: [kind], maximumPixels: 64 * 48 - 1)
      }
      #expect(large == "tooLarge")
      let whole = TestPictures.array(file)
      for count in [12, 40, whole.count / 2, whole.count - 20] {
        let rest = Bytes(Array(whole[..<count]))
        let cut = failure { () throws(ImagingError) in
          let header = try PictureHeader(of: rest, kinds: [kind], maximumPixels: 100_000)
          try PictureDecoder.decode(rest, header: header, maximumEdge: 99, into: PixelBuffer())
        }
        #expect(cut == "broken", "\(kind) \(count)")
      }
    }
  }

  @Test(
    arguments: [
      ([0, 0, 0, 8, 1, 2, 3, 4], false), ([0, 0, 0, 9, 1, 2, 3, 4], true),
      ([0, 0, 0, 7, 1, 2, 3, 4], true), ([0, 0, 0, 0, 1, 2, 3, 4, 5], false),
      ([0, 0, 0, 8, 1, 2, 3, 4, 0, 0, 0, 9, 1, 2, 3, 4, 5], false),
      ([0, 0, 0, 8, 1, 2, 3, 4, 0, 0, 0, 9, 1, 2, 3, 4], true),
      ([0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 16], false),
      ([0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 15], true),
      ([0, 0, 0, 1, 1, 2, 3, 4, 255, 255, 255, 255, 255, 255, 255, 255], true),
      ([0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0], true), ([0, 0, 0], false), ([], false),
    ] as [([UInt8], Bool)])
  func `a file that ends within a box is truncated`(file: [UInt8], isTruncated: Bool) {
    #expect(HEIFBoxes.isTruncated(Bytes(file)) == isTruncated)
  }

  @Test func `WebP keeps transparency exactly`() throws {
    let picture = TestPictures.quarters(alpha: 77)
    let again = try decodedAny(try PictureEncoder.webp(picture))
    let places = Array(stride(from: 3, to: 4 * 64 * 48, by: 4))
    let (written, read) = (places.map { picture.pixels[$0] }, places.map { again.pixels[$0] })
    #expect(read == written)
  }
}
