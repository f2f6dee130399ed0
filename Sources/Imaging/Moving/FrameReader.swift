import CVips

/// Reads the frames of a moving picture, one after the other, each as it is seen: whatever is left of those before is
/// in it.
///
/// Keeps about one frame, however many there are. One thread at a time uses it.
final class FrameReader {
  let count: Int
  /// Of a frame, upright. In pixels.
  let width: Int
  let height: Int
  /// How long each frame is seen, in milliseconds.
  let delays: [Int]
  /// How often the picture plays; 0 is for ever.
  let plays: Int

  private let strip: VipsHandle
  private let storedHeight: Int
  private let orientation: Int
  private let turned = PixelBuffer()
  private var next = 0

  /// - Parameter memory: the file, which must outlive the reader.
  init(_ memory: UnsafeRawBufferPointer, header: PictureHeader) throws(ImagingError) {
    let load = try VipsCall(header.kind.loader)
    load.set("buffer", memory)
    load.set("n", -1)
    load.set("access", Int(VIPS_ACCESS_SEQUENTIAL.rawValue))
    load.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
    let loaded = try load.image()
    count = header.frames
    (width, height) = (header.width, header.height)
    storedHeight = loaded.isTurned ? header.width : header.height
    guard loaded.height == storedHeight * count else { throw .broken("frames of several sizes") }
    delays = loaded.integers(named: "delay")
    plays = loaded.integer(named: "loop") ?? 0
    orientation = loaded.orientation
    strip = try PictureDecoder.standardColours(loaded, by: header.conversion)
  }

  var channels: Int { strip.bands }

  /// Decodes the next frame.
  func read(into buffer: PixelBuffer) throws(ImagingError) {
    guard next < count else { throw .broken("no more frames") }
    let stored = orientation > 1 ? turned : buffer
    let rows = next * storedHeight..<(next + 1) * storedHeight
    try PictureDecoder.write(strip, rows: rows, into: stored)
    next += 1
    guard orientation > 1 else { return }
    try PictureDecoder.turn(turned, by: orientation, into: buffer)
  }
}
