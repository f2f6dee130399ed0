package import Bytes
import CVips

/// Draws on animations.
package enum MovingPicture {
  /// The file formats of animations.
  package enum Format: Sendable {
    case gif, webp
  }

  /// Blends the ink over every frame and encodes the animation again, with the same number of plays, and the same
  /// delays as far as the format can store them.
  ///
  /// Works frame by frame: only a few frames are in memory at a time, whatever their number.
  ///
  /// - Parameters:
  ///   - shape: the crop, size and bars of each frame, applied before the ink.
  ///   - ink: of the size that ``PictureShape/size(ofWidth:height:)`` returns.
  ///   - backdrop: the canvas for each frame with its ink; `nil` for none.
  ///   - quality: the WebP quality; ignored for GIF.
  ///   - first: receives the first frame as drawn.
  ///   - isOver: called before each frame, on a libvips thread. Return `true` to stop the work.
  /// - Throws: ``ImagingError/broken(_:)`` if the file is damaged, ``ImagingError/library(operation:message:)`` if
  ///   `isOver` stopped the work.
  package static func redraw(
    _ file: Bytes, header: PictureHeader, shape: PictureShape, ink: InkLayer,
    on backdrop: Backdrop? = nil, as format: Format,
    quality: Int = PictureEncoder.webpQuality, first: PixelBuffer, isOver: @escaping () -> Bool
  ) throws(ImagingError) -> Bytes {
    try header.decodable(file).withUnsafeBytes { memory throws(ImagingError) in
      let reader: FrameReader
      do throws(ImagingError) { reader = try FrameReader(memory, header: header) } catch {
        guard case .library(_, let message) = error else { throw error }
        throw ImagingError(reading: message)
      }
      let size = backdrop?.size ?? shape.size(ofWidth: header.width, height: header.height)
      let delays = format == .gif ? GIFDelays.rounded(reader.delays) : reader.delays
      let feed = FrameFeed(
        reader, delays: delays, shape: shape, size: size, ink: ink, backdrop: backdrop,
        first: first, isOver: isOver)
      defer { withExtendedLifetime(feed) {} }
      do throws(ImagingError) {
        return try PictureEncoder.save(feed.strip(), as: format, quality: quality)
      } catch {
        // The saver's own error only says that it received no pixels.
        throw feed.failure ?? error
      }
    }
  }
}
