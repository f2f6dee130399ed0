import Bytes

@testable import Imaging

extension FuzzTarget {
  /// The parser of GIF blocks, which detects truncated files.
  static let gif = FuzzTarget(name: "gif", maximumBytes: 2048) { bytes in
    let isTruncated = GIFBlocks.isTruncated(Bytes(bytes))
    if !isTruncated {
      try require(bytes.count >= 13, "a whole file has at least its header")
      try require(!GIFBlocks.isTruncated(Bytes(bytes + [0x3B])), "the trailer may follow")
    }
    let trailed = bytes + [0x3B]
    if !isTruncated, !GIFBlocks.isTruncated(Bytes(trailed)) {
      try require(
        !GIFBlocks.isTruncated(Bytes(trailed + [0x21, 0xFE, 0xFF])), "nothing counts behind it")
    }
  }

  /// The counter of the scans of a JPEG.
  static let jpeg = FuzzTarget(name: "jpeg", maximumBytes: 2048) { bytes in
    let file = Bytes(bytes)
    let all = JPEGScans.count(in: file, upTo: .max)
    let markers = zip(bytes, bytes.dropFirst()).count { $0 == (0xFF, 0xDA) }
    try require((0...markers).contains(all), "there are no more scans than markers of scans")
    for limit in [0, 1, 2, JPEGScans.maximum] {
      let count = JPEGScans.count(in: file, upTo: limit)
      try require(count == min(all, limit), "a count ends at its limit, and not before")
    }
  }

  /// The parser of picture headers and the decoder. The image libraries are not instrumented, so the fuzzer finds new
  /// coverage only in our own code. But no file may crash them, take long, or decode to another size than its header
  /// states.
  static let picture = FuzzTarget(name: "picture", maximumBytes: 8192) { bytes in
    let file = Bytes(bytes)
    let header: PictureHeader
    let buffer = PixelBuffer()
    do throws(ImagingError) {
      header = try PictureHeader(of: file, maximumPixels: 1 << 18)
      try PictureDecoder.decode(file, header: header, maximumEdge: 64, into: buffer)
    } catch {
      if case .library(let operation, let message) = error {
        throw Violation(description: "\(operation) is blamed for a bad file: \(message)")
      }
      return
    }
    try require(header.width * header.height * header.frames <= 1 << 18, "pixels are counted")
    let edge = max(header.width, header.height)
    try require(max(buffer.width, buffer.height) <= min(edge, 64), "nothing is enlarged")
    try require(min(buffer.width, buffer.height) >= 1, "nothing is lost")
    try require([3, 4].contains(buffer.channels), "there are three colours, and perhaps alpha")
  }
}
