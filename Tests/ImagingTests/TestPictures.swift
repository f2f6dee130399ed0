import Bytes
import CVips

@testable import Imaging

/// Picture files for tests, made by libvips.
enum TestPictures {
  static let red: [UInt8] = [200, 30, 40]
  static let green: [UInt8] = [40, 180, 60]
  static let blue: [UInt8] = [30, 60, 190]
  static let grey: [UInt8] = [128, 128, 128]
  /// Clockwise from the top left: red, green, blue, gray.
  static let corners = [red, green, blue, grey]

  /// A picture whose quarters have the colors of ``corners``.
  static func quarters(width: Int = 64, height: Int = 48, alpha: UInt8? = nil) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: alpha == nil ? 3 : 4)
    for y in 0..<height {
      for x in 0..<width {
        let isRight = x >= width / 2
        let colour = y < height / 2 ? (isRight ? green : red) : (isRight ? blue : grey)
        let index = (y * width + x) * buffer.channels
        for channel in 0..<3 { buffer.pixels[index + channel] = colour[channel] }
        if let alpha { buffer.pixels[index + 3] = x < width / 4 ? alpha : 255 }
      }
    }
    return buffer
  }

  /// A picture of one color.
  static func plain(width: Int, height: Int, level: UInt8 = 128, channels: Int = 3) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: channels)
    buffer.pixels.initializeMemory(as: UInt8.self, repeating: level)
    return buffer
  }

  static func jpeg(_ buffer: PixelBuffer = quarters()) throws -> Bytes {
    try PictureEncoder.jpeg(buffer, quality: 95)
  }

  /// Saves the pixels with any saver of libvips, after an optional conversion.
  static func save(
    _ buffer: PixelBuffer = quarters(), by saver: String, space: VipsInterpretation? = nil,
    _ set: (borrowing VipsCall) -> Void = { _ in }
  ) throws -> Bytes {
    defer { withExtendedLifetime(buffer) {} }
    var image = try buffer.handle()
    if let space {
      let convert = try VipsCall("colourspace")
      convert.set("in", image)
      convert.set("space", Int(space.rawValue))
      image = try convert.image()
    }
    let call = try VipsCall(saver)
    call.set("in", image)
    set(call)
    return try call.bytes()
  }

  /// Inserts an EXIF segment after the start of a JPEG. It has an orientation and a text to search for.
  static func withEXIF(_ jpeg: Bytes, orientation: UInt8) -> Bytes {
    let tiff: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0,
      0,
      0,
    ]
    let body = Array("Exif\0\0".utf8) + tiff + Array("GPS-SECRET".utf8)
    let length = body.count + 2
    let segment: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body
    var file = array(jpeg)
    file.insert(contentsOf: segment, at: 2)
    return Bytes(file)
  }

  static func array(_ bytes: Bytes) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }

  /// A PNG whose header declares a size but whose pixels are missing.
  static func pngHeader(width: UInt32, height: UInt32) -> Bytes {
    let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
    return Bytes(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        + chunk("IDAT", [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]) + chunk("IEND", []))
  }

  /// Inserts a chunk `count` times directly after the header of a PNG.
  static func withChunk(_ png: Bytes, _ type: String, _ data: [UInt8], count: Int = 1) -> Bytes {
    var file = array(png)
    let chunks = Array(repeatElement(chunk(type, data), count: count).joined())
    file.insert(contentsOf: chunks, at: 8 + 12 + 13)
    return Bytes(file)
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc(body))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let carry: UInt32 = sum & 1 == 1 ? 0xEDB8_8320 : 0
        sum = (sum >> 1) ^ carry
      }
    }
    return ~sum
  }
}

extension PixelBuffer {
  /// The first three channels of a pixel.
  func colour(_ x: Int, _ y: Int) -> [UInt8] {
    let (start, bytes) = ((y * width + x) * channels, pixels)
    return [bytes[start], bytes[start + 1], bytes[start + 2]]
  }

  /// The largest difference of a channel.
  // A plain loop, because tests call this for millions of pixels without optimization.
  func distance(_ x: Int, _ y: Int, _ colour: [UInt8]) -> Int {
    let (start, bytes) = ((y * width + x) * channels, pixels)
    var (channel, largest) = (0, 0)
    while channel < 3 {
      largest = max(largest, abs(Int(bytes[start + channel]) - Int(colour[channel])))
      channel += 1
    }
    return largest
  }

  /// Whether the middle of each quarter has the expected color, clockwise from the top left.
  func isQuarters(_ expected: [[UInt8]], within tolerance: Int) -> Bool {
    let places = [
      (width / 4, height / 4), (3 * width / 4, height / 4), (3 * width / 4, 3 * height / 4),
      (width / 4, 3 * height / 4),
    ]
    return zip(places, expected).allSatisfy { distance($0.0, $0.1, $1) <= tolerance }
  }
}

/// Reads and decodes a file like a render.
func decoded(
  _ file: Bytes, maximumEdge: Int = 2048, maximumPixels: Int = 100_000_000
) throws(ImagingError) -> PixelBuffer {
  let header = try PictureHeader(of: file, maximumPixels: maximumPixels)
  let buffer = PixelBuffer()
  try PictureDecoder.decode(file, header: header, maximumEdge: maximumEdge, into: buffer)
  return buffer
}

extension ImagingError {
  /// The name of the case, without the message of the library.
  var name: String {
    switch self {
    case .unsupported: "unsupported"
    case .broken: "broken"
    case .tooLarge: "tooLarge"
    case .tooManyFrames: "tooManyFrames"
    case .outOfMemory: "outOfMemory"
    case .library: "library"
    }
  }
}

/// The name of the error that `body` throws, or `nil`.
func failure(_ body: () throws(ImagingError) -> Void) -> String? {
  do throws(ImagingError) {
    try body()
    return nil
  } catch { return error.name }
}
