package import Bytes
import Imaging
package import Memes
import Metrics

/// Draws memes on the threads of a ``RenderPool``.
package struct PooledRenderer: MemeRenderer, PictureReader, PictureCopier {
  let pool: RenderPool
  let limits: PictureLimits
  let digest: Digester

  /// - Parameter limits: of the pictures that it is given.
  package init(pool: RenderPool, limits: PictureLimits, digest: @escaping Digester) {
    (self.pool, self.limits, self.digest) = (pool, limits, digest)
  }

  package func render(_ order: RenderOrder) async throws(MemeError) -> RenderedMeme {
    try await pool.run {
      [limits, digest, meter = pool.meter] worker, ticket throws(MemeError) in
      let began = ContinuousClock.now
      do throws(MemeError) {
        let meme = try RenderPipeline(
          order: order, limits: limits, digest: digest, worker: worker,
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

  package func facts(of picture: Bytes) async throws(MemeError) -> PictureFacts {
    try await pool.run { [limits, digest] _, _ throws(MemeError) in
      do throws(ImagingError) {
        return PictureFacts(try limits.header(of: picture), of: picture, digest)
      } catch { throw MemeError(error) }
    }
  }

  package func template(of picture: Bytes) async throws(MemeError) -> TemplateFiles {
    try await pool.run { [limits, digest] worker, ticket throws(MemeError) in
      let copying = CopyPipeline(limits: limits, digest: digest, worker: worker, ticket: ticket)
      let copy = try copying.copy(picture, crop: nil)
      return TemplateFiles(picture: copy, thumbnail: try copying.thumbnail())
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

  /// The faces that captions can be drawn in, and what is really installed for each.
  package func faces() async throws(MemeError) -> [FontFace] {
    try await pool.run { worker, _ throws(MemeError) in
      let artist = try worker.artist()
      return artist.faces.map { face in
        FontFace(
          id: FontID(stored: face.id), family: face.family, installed: face.installed,
          fitting: FontFitting(face), hasFile: artist.hasFile(face))
      }
    }
  }

  /// Those of some kinds of file that this machine can write. For AVIF that takes a try.
  package func writable(
    _ candidates: [OutputFormat]
  ) async throws(MemeError) -> [OutputFormat] {
    try await pool.run { _, _ throws(MemeError) in
      candidates.filter { format in
        switch format {
        case .jpeg, .png: true
        case .webp: PictureEncoder.hasWebP
        case .gif: PictureEncoder.hasGIF
        case .avif: PictureEncoder.works(PictureEncoder.avif)
        }
      }
    }
  }

  /// A PNG that shows the face: its name, drawn like a caption.
  ///
  /// - Throws: ``MemeError/notFound`` where there is no such face, and what ``render(_:)`` throws.
  package func sample(of face: FontID) async throws(MemeError) -> Bytes {
    try await pool.run { worker, _ throws(MemeError) in
      let artist = try worker.artist()
      let sample: Bytes?
      do throws(ImagingError) { sample = try artist.sample(of: face.text) } catch {
        throw MemeError(error)
      }
      guard let sample else { throw .notFound }
      return sample
    }
  }

  /// The face's file, where it may be handed on.
  ///
  /// - Throws: ``MemeError/notFound`` where it may not, or there is no such face.
  package func file(of face: FontID) async throws(MemeError) -> Bytes {
    try await pool.run { worker, _ throws(MemeError) in
      guard let file = try worker.artist().file(of: face.text) else { throw .notFound }
      return file
    }
  }
}
