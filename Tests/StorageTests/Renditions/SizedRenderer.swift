import Bytes
import Memes
import Synchronization

/// Draws blank pictures of the ordered width, and only after its gate is open.
final class SizedRenderer: MemeRenderer {
  private struct State {
    var isOpen = false
    var failure: MemeError?
    var begun = 0
  }

  private let state = Mutex(State())

  /// The number of pictures that were begun.
  var begun: Int { state.withLock { $0.begun } }

  /// Lets all callers through from now on, with a picture or with this error.
  func open(failing failure: MemeError? = nil) {
    state.withLock { ($0.isOpen, $0.failure) = (true, failure) }
  }

  func render(_ order: RenderOrder) async throws -> RenderedMeme {
    state.withLock { $0.begun += 1 }
    while !state.withLock({ $0.isOpen }) {
      do { try await Task.sleep(for: .milliseconds(2)) } catch { throw MemeError.rendering(error) }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
    let facts = PictureFacts(
      size: PixelSize(width: order.maxEdge.pixels, height: 1),
      format: PictureFormat(order.format ?? .jpeg), byteCount: 100, digest: Digest { $0[0] = 1 })
    let file = PictureFile(facts: facts, bytes: Bytes([UInt8](repeating: 1, count: 100)))
    return RenderedMeme(original: facts, image: file, thumbnails: nil, fit: [])
  }
}
