import Bytes
import Eventually
import Memes
import Synchronization

/// Draws nothing, and returns only after its gate is open. For tests of events during a render.
final class GatedRenderer: MemeRenderer {
  private struct State {
    var isOpen = false
    var failure: MemeError?
    var waiting = 0
    var drawn = 0
  }

  private let state = Mutex(State())

  /// The number of memes that were drawn.
  var drawn: Int { state.withLock { $0.drawn } }

  /// Lets all callers through from now on, with a meme or with this error.
  func open(failing failure: MemeError? = nil) {
    state.withLock { ($0.isOpen, $0.failure) = (true, failure) }
  }

  func waitUntilSomebodyWaits() async throws {
    try await eventually("a render waits") { state.withLock { $0.waiting > 0 } }
  }

  func render(_ order: RenderOrder) async throws -> RenderedMeme {
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    while !state.withLock({ $0.isOpen }) {
      do { try await Task.sleep(for: .milliseconds(2)) } catch { throw MemeError.rendering(error) }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
    state.withLock { $0.drawn += 1 }
    let digest = Digest { $0[0] = 1 }
    let facts = PictureFacts(
      size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: 1, digest: digest)
    let file = PictureFile(facts: facts, bytes: Bytes("x"))
    return RenderedMeme(
      original: facts, image: file, thumbnails: .init(table: file, grid: file), fit: [])
  }
}
