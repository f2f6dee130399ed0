import CVips

/// Reads the frames of an animation in order, each as displayed: it includes the visible remains of earlier frames.
///
/// Keeps about one frame in memory, whatever their number. Only one thread at a time may use a reader.
final class FrameReader {
  let count: Int
  /// The size of an upright frame, in pixels.
  let width: Int
  let height: Int
  /// The time for which each frame is displayed, in milliseconds.
  let delays: [Int]
  /// How often the animation plays; 0 means forever.
  let plays: Int

  private let strip: VipsHandle
  private let storedHeight: Int
  private let orientation: Int
  private let turned = PixelBuffer()
  private var next = 0

  /// - Parameter memory: the file as ``PictureHeader/decodable(_:)`` returns it, which must outlive the reader.
  init(_ memory: UnsafeRawBufferPointer, header: PictureHeader) throws(ImagingError) {
    let load = try VipsCall(header.kind.loader)
    load.set("buffer", memory)
    load.set("n", header.frames)
    load.set("access", Int(VIPS_ACCESS_SEQUENTIAL.rawValue))
    load.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
    let loaded = try load.image()
    count = header.frames
    (width, height) = (header.width, header.height)
    storedHeight = loaded.isTurned ? header.width : header.height
    guard loaded.height == storedHeight * count else { throw .broken("frames of different sizes") }
    delays = Array(loaded.integers(named: "delay").prefix(header.frames))
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
