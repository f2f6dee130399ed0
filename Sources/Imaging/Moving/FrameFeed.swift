import CVips

/// Supplies a libvips saver with the frames of an animation on request: decoded, scaled down and drawn on.
///
/// libvips sees one tall image, with each frame below the one before. A saver requests its rows from top to bottom on
/// one thread, because libvips is set to use one thread per image. So the feed makes a frame when the saver requests
/// its first row, and then discards the previous frame.
final class FrameFeed {
  private(set) var failure: ImagingError?

  private let reader: FrameReader
  private let shape: PictureShape
  private let ink: InkLayer
  private let backdrop: Backdrop?
  private let first: PixelBuffer
  private let isOver: () -> Bool
  private let delays: [Int]
  private let whole = PixelBuffer()
  private let drawn = PixelBuffer()
  /// The painted canvas, in whose middle each frame replaces the one before; unused without a backdrop.
  private let canvas = PixelBuffer()
  private let size: (width: Int, height: Int)
  private var index = -1

  /// - Parameter delays: the time for which each frame is displayed, in milliseconds.
  init(
    _ reader: FrameReader, delays: [Int], shape: PictureShape, size: (width: Int, height: Int),
    ink: InkLayer, backdrop: Backdrop?, first: PixelBuffer, isOver: @escaping () -> Bool
  ) {
    self.delays = delays
    (self.reader, self.shape, self.size, self.ink) = (reader, shape, size, ink)
    (self.backdrop, self.first, self.isOver) = (backdrop, first, isOver)
  }

  /// The current frame of the result.
  private var frame: PixelBuffer { backdrop == nil ? drawn : canvas }

  /// The tall image. The feed must outlive it.
  func strip() throws(ImagingError) -> VipsHandle {
    guard let image = vips_image_new() else {
      throw .library(operation: "image_new", message: Vips.takeErrorText())
    }
    let strip = VipsHandle(owning: image)
    vips_image_init_fields(
      image, Int32(size.width), Int32(size.height * reader.count), Int32(reader.channels),
      VIPS_FORMAT_UCHAR, VIPS_CODING_NONE, VIPS_INTERPRETATION_sRGB, 1, 1)
    var nothing: UnsafeMutablePointer<VipsImage>?
    guard vips_image_pipeline_array(image, VIPS_DEMAND_STYLE_THINSTRIP, &nothing) == 0,
      vips_image_generate(
        image, nil, { region, _, feed, _, _ in FrameFeed.fill(region, from: feed) }, nil,
        Unmanaged.passUnretained(self).toOpaque(), nil) == 0
    else { throw .library(operation: "image_generate", message: Vips.takeErrorText()) }
    strip.setFrames(height: size.height, delays: delays, plays: reader.plays)
    return strip
  }

  private static func fill(
    _ region: UnsafeMutablePointer<VipsRegion>?, from feed: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let region, let feed else { return -1 }
    return Unmanaged<FrameFeed>.fromOpaque(feed).takeUnretainedValue().fill(region) ? 0 : -1
  }

  private func fill(_ region: UnsafeMutablePointer<VipsRegion>) -> Bool {
    let (area, frame) = (region.pointee.valid, frame)
    let (left, width) = (Int(area.left), Int(area.width))
    // After a failure, the pixels of the frame are undefined.
    guard failure == nil, let data = region.pointee.data else { return false }
    for row in Int(area.top)..<Int(area.top + area.height) {
      do throws(ImagingError) { try reach(row / size.height) } catch {
        failure = failure ?? error
        return false
      }
      let start = (row % size.height) * frame.bytesPerRow + left * frame.channels
      let target = data + (row - Int(area.top)) * Int(region.pointee.bpl)
      UnsafeMutableRawBufferPointer(start: target, count: width * frame.channels).copyMemory(
        from: UnsafeRawBufferPointer(
          rebasing: frame.pixels[start..<start + width * frame.channels]))
    }
    return true
  }

  /// Makes frames up to and including `wanted`.
  private func reach(_ wanted: Int) throws(ImagingError) {
    guard wanted >= index else {
      throw .library(operation: "frames", message: "frames requested out of order")
    }
    while index < wanted {
      if isOver() { throw .library(operation: "frames", message: "ended early") }
      do throws(ImagingError) { try reader.read(into: whole) } catch {
        guard case .library(_, let message) = error else { throw error }
        throw ImagingError(reading: message)
      }
      try shape.make(of: whole, into: drawn)
      ink.lay(over: drawn)
      index += 1
      if let backdrop { try put(on: backdrop) }
      if index == 0 { try first.copy(frame) }
    }
  }

  private func put(on backdrop: Backdrop) throws(ImagingError) {
    // The pixels of the file's frame are no longer needed.
    try backdrop.fit(drawn, with: whole)
    if index == 0 { try backdrop.paint(drawn, on: canvas, small: whole) }
    backdrop.lay(drawn, on: canvas)
  }
}
