package import Bytes
import CVips

/// Draws on moving pictures.
package enum MovingPicture {
  /// The kinds of file that move.
  package enum Format: Sendable {
    case gif, webp
  }

  /// The size of each frame, made smaller until no edge is longer than `maximumEdge`.
  package static func size(
    of header: PictureHeader, maximumEdge: Int
  ) -> (width: Int, height: Int) {
    PixelBuffer.size(fitting: maximumEdge, width: header.width, height: header.height)
  }

  /// Lays the ink over every frame and writes them again, with their times and as often as they play.
  ///
  /// Frame for frame: what is in memory is a few frames, however many there are.
  ///
  /// - Parameters:
  ///   - ink: as large as ``size(of:maximumEdge:)`` says.
  ///   - first: gets the first frame as drawn.
  ///   - isOver: is asked before each frame, on a thread of libvips; `true` ends the work.
  /// - Throws: ``ImagingError/broken(_:)``; an error of the library where the work was ended.
  package static func redraw(
    _ file: Bytes, header: PictureHeader, maximumEdge: Int, ink: InkLayer, as format: Format,
    first: PixelBuffer, isOver: @escaping () -> Bool
  ) throws(ImagingError) -> Bytes {
    try file.withUnsafeBytes { memory throws(ImagingError) in
      let reader: FrameReader
      do throws(ImagingError) { reader = try FrameReader(memory, header: header) } catch {
        guard case .library(_, let message) = error else { throw error }
        throw ImagingError(reading: message)
      }
      let feed = FrameFeed(
        reader, maximumEdge: maximumEdge, ink: ink, first: first, isOver: isOver)
      defer { withExtendedLifetime(feed) {} }
      do throws(ImagingError) {
        return try PictureEncoder.save(feed.strip(), as: format)
      } catch {
        // The saver only knows that its pixels did not come.
        throw feed.failure ?? error
      }
    }
  }
}
