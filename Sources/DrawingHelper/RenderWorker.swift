import Imaging
import Memes
import Rendering

/// State that a drawer keeps between jobs: fonts and pixel buffers.
final class RenderWorker {
  /// The pixel memory kept between jobs: 1.5 times the largest render at the default settings.
  private static let keptBytes = 20 << 20

  let shelf: PreviewCache
  let picture = PixelBuffer()
  let grid = PixelBuffer()
  let table = PixelBuffer()
  private var loaded: CaptionArtist?

  init(shelf: PreviewCache) { self.shelf = shelf }

  /// Loads the fonts. If that fails, the next job tries again and reports the error.
  func warmUp() {
    _ = try? artist()
    // Searching for fonts takes memory that is not needed afterwards.
    FreedMemory.giveBack()
  }

  func artist() throws -> CaptionArtist {
    if let loaded { return loaded }
    do throws(ImagingError) {
      let artist = try CaptionArtist()
      try artist.warmUp()
      loaded = artist
      return artist
    } catch { throw MemeError(error) }
  }

  /// Frees memory that only an unusually large picture needed.
  func tidy() {
    for buffer in [picture, grid, table] { buffer.trim(to: Self.keptBytes) }
  }

  /// Frees all pixel buffers, cached pictures that are unused since the last job, and memory that
  /// drawing has left behind in the process.
  ///
  /// - Parameter time: how long the worker has been idle.
  func rest(after time: Duration) {
    shelf.clear(unusedFor: time)
    for buffer in [picture, grid, table] { buffer.trim(to: 0) }
    FreedMemory.giveBack()
  }

  /// Must be the last call on the thread.
  func end() {
    loaded = nil
    Vips.endThread()
  }
}
