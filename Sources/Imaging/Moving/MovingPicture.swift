package import Bytes
import CVips

/// Draws on moving pictures.
package enum MovingPicture {
  /// The kinds of file that move.
  package enum Format: Sendable {
    case gif, webp
  }

  /// Lays the ink over every frame and writes them again, with their times and as often as they play.
  ///
  /// Frame for frame: what is in memory is a few frames, however many there are.
  ///
  /// - Parameters:
  ///   - shape: what becomes of each frame before the ink is laid over it.
  ///   - ink: as large as ``PictureShape/size(ofWidth:height:)`` says.
  ///   - quality: of a WebP.
  ///   - first: gets the first frame as drawn.
  ///   - isOver: is asked before each frame, on a thread of libvips; `true` ends the work.
  /// - Throws: ``ImagingError/broken(_:)``; an error of the library where the work was ended.
  package static func redraw(
    _ file: Bytes, header: PictureHeader, shape: PictureShape, ink: InkLayer, as format: Format,
    quality: Int = PictureEncoder.webpQuality, first: PixelBuffer, isOver: @escaping () -> Bool
  ) throws(ImagingError) -> Bytes {
    try file.withUnsafeBytes { memory throws(ImagingError) in
      let reader: FrameReader
      do throws(ImagingError) { reader = try FrameReader(memory, header: header) } catch {
        guard case .library(_, let message) = error else { throw error }
        throw ImagingError(reading: message)
      }
      let feed = FrameFeed(
        reader, shape: shape,
        size: shape.size(ofWidth: header.width, height: header.height), ink: ink, first: first,
        isOver: isOver)
      defer { withExtendedLifetime(feed) {} }
      do throws(ImagingError) {
        return try PictureEncoder.save(feed.strip(), as: format, quality: quality)
      } catch {
        // The saver only knows that its pixels did not come.
        throw feed.failure ?? error
      }
    }
  }
}
