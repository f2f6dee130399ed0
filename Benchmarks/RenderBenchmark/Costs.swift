import Bytes
import DrawingHelper
import Foundation
import Imaging

/// The costs of decoding and encoding pictures of each kind, relative to JPEG: the factors of `JobCost`.
struct Costs: Encodable {
  /// CPU milliseconds to decode and encode a megapixel of JPEG.
  let unitMilliseconds: Double
  /// By picture and file format, in these units.
  let reading: [String: Double]
  let writing: [String: Double]

  init(photo: Bytes, runs: Int) throws {
    try Vips.allow(Set(PictureKind.allCases))
    let photo = try Self.decoded(photo)
    let pictures = ["photo": photo, "noise": Self.like(photo) { .random(in: 0...255) }]
    let plain = Self.like(photo) { 200 }
    var (reading, writing): ([String: Double], [String: Double]) = ([:], [:])
    func measure(_ picture: String, _ pixels: PixelBuffer) throws {
      let megapixels = Double(pixels.width * pixels.height) / 1e6
      let kinds: [(String, () throws -> Bytes)] = [
        ("jpeg", { try PictureEncoder.jpeg(pixels, quality: 85) }),
        ("png", { try PictureEncoder.png(pixels) }), ("webp", { try PictureEncoder.webp(pixels) }),
        ("gif", { try PictureEncoder.gif(pixels) }), ("avif", { try PictureEncoder.avif(pixels) }),
      ]
      for (kind, write) in kinds {
        let file = try write()
        writing["\(picture) \(kind)"] = try Self.cpu(runs) { _ = try write() } / megapixels
        reading["\(picture) \(kind)"] =
          try Self.cpu(runs) { _ = try Self.decoded(file) } / megapixels
      }
    }
    for (picture, pixels) in pictures { try measure(picture, pixels) }
    try measure("plain", plain)
    let unit = (reading["photo jpeg"] ?? 0) + (writing["photo jpeg"] ?? 0)
    unitMilliseconds = unit
    self.reading = reading.mapValues { ($0 / unit * 100).rounded() / 100 }
    self.writing = writing.mapValues { ($0 / unit * 100).rounded() / 100 }
  }

  private static func like(_ photo: PixelBuffer, _ level: () -> UInt8) -> PixelBuffer {
    let pixels = PixelBuffer()
    pixels.reshape(width: photo.width, height: photo.height, channels: 3)
    for place in pixels.pixels.indices { pixels.pixels[place] = level() }
    return pixels
  }

  private static func decoded(_ file: Bytes) throws -> PixelBuffer {
    let pixels = PixelBuffer()
    let header = try PictureHeader(
      of: file, kinds: Set(PictureKind.allCases), maximumPixels: 1 << 30)
    try PictureDecoder.decode(file, header: header, maximumEdge: .max, into: pixels)
    return pixels
  }

  /// The median CPU time, in milliseconds.
  private static func cpu(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
      let start = clock()
      try body()
      times.append(Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000)
    }
    return times.sorted()[runs / 2]
  }
}
