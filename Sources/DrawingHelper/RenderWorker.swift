import Imaging
import Memes

/// What one render thread keeps from order to order: its fonts and its pixels.
final class RenderWorker {
  /// Kept between orders: the largest render at the default settings, and half as much again.
  private static let keptBytes = 20 << 20

  /// Shared by all workers.
  let shelf: PictureShelf
  let picture = PixelBuffer()
  let grid = PixelBuffer()
  let table = PixelBuffer()
  private var loaded: CaptionArtist?

  init(shelf: PictureShelf) { self.shelf = shelf }

  /// Loads the fonts. Where that fails, the next order tries again and tells.
  func warmUp() {
    _ = try? artist()
    // To find fonts takes memory that is not needed afterwards.
    Vips.giveBackMemory()
  }

  func artist() throws(MemeError) -> CaptionArtist {
    if let loaded { return loaded }
    do throws(ImagingError) {
      let artist = try CaptionArtist()
      try artist.warmUp()
      loaded = artist
      return artist
    } catch { throw MemeError(error) }
  }

  /// Lets go of what an unusually large picture needed.
  func tidy() { picture.trim(to: Self.keptBytes) }

  /// Lets go of all pixels, of the shelf's that nobody has used since this worker drew last, and of what drawing has left
  /// behind in the process.
  ///
  /// - Parameter time: how long the worker has had nothing to draw.
  func rest(after time: Duration) {
    shelf.clear(unusedFor: time)
    for buffer in [picture, grid, table] { buffer.trim(to: 0) }
    Vips.giveBackMemory()
  }

  /// The last call on the thread.
  func end() {
    loaded = nil
    Vips.endThread()
  }
}
