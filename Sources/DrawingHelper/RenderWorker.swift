import Imaging
import Memes
import Rendering

/// What one drawer keeps from job to job: its fonts and its pixels.
final class RenderWorker {
  /// Kept between jobs: the largest render at the default settings, and half as much again.
  private static let keptBytes = 20 << 20

  let shelf: PictureShelf
  let picture = PixelBuffer()
  let grid = PixelBuffer()
  let table = PixelBuffer()
  private var loaded: CaptionArtist?

  init(shelf: PictureShelf) { self.shelf = shelf }

  /// Loads the fonts. If that fails, the next job tries again and tells.
  func warmUp() {
    _ = try? artist()
    // To find fonts takes memory that is not needed afterwards.
    FreedMemory.giveBack()
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
    FreedMemory.giveBack()
  }

  /// The last call on the thread.
  func end() {
    loaded = nil
    Vips.endThread()
  }
}
