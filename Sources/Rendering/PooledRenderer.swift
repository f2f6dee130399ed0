package import Bytes
package import Imaging
package import Memes
import Metrics

/// Draws memes on the threads of a ``RenderPool``.
package struct PooledRenderer: MemeRenderer {
  private let pool: RenderPool
  private let maximumPixels: Int
  private let digest: Digester

  /// - Parameter maximumPixels: the bound on width × height × frames of an uploaded picture.
  package init(pool: RenderPool, maximumPixels: Int, digest: @escaping Digester) {
    (self.pool, self.maximumPixels, self.digest) = (pool, maximumPixels, digest)
  }

  package func render(_ order: RenderOrder) async throws(MemeError) -> RenderedMeme {
    try await pool.run {
      [maximumPixels, digest, meter = pool.meter] worker, ticket throws(MemeError) in
      let began = ContinuousClock.now
      do throws(MemeError) {
        let meme = try RenderPipeline(
          order: order, maximumPixels: maximumPixels, digest: digest, worker: worker,
          ticket: ticket
        ).run()
        meter.seconds.observe(.now - began)
        return meme
      } catch {
        meter.count(error)
        throw error
      }
    }
  }

  package func checkHealth() async throws(MemeError) {
    // Who draws for others needs no order of its own, which would wait behind theirs.
    guard !pool.hasDrawn(within: .seconds(1)) else { return }
    try await pool.run { worker, _ throws(MemeError) in
      let artist = try worker.artist()
      do throws(ImagingError) { try artist.warmUp() } catch { throw MemeError(error) }
    }
  }

  /// The one face that captions are drawn in, and what is really installed for it.
  package func defaultFace() async throws(MemeError) -> CaptionFace {
    try await pool.run { worker, _ throws(MemeError) in try worker.artist().face }
  }

  /// A PNG that shows the face: its name, drawn like a caption.
  package func faceSample() async throws(MemeError) -> Bytes {
    try await pool.run { worker, _ throws(MemeError) in
      let artist = try worker.artist()
      do throws(ImagingError) { return try artist.sample() } catch { throw MemeError(error) }
    }
  }
}
