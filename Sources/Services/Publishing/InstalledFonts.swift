package import Bytes
package import Memes
package import Rendering
import Synchronization

/// The font faces of this machine for captions, with samples and font files. A sample is drawn on first use and cached.
/// A font file is read on each call and not cached.
package final class InstalledFonts: Sendable {
  package let faces: [FontFace]
  /// The number of families that were added to those of the machine.
  package let added: Int
  private let renderer: PooledRenderer
  private let samples = Mutex<[FontID: Bytes]>([:])

  package init(_ renderer: PooledRenderer) async throws {
    self.renderer = renderer
    (faces, added) = try await renderer.faces()
  }

  /// A small sample picture of the face, as PNG.
  ///
  /// - Throws: ``MemeError/notFound`` if ``faces`` does not contain the ID.
  package func sample(of id: FontID) async throws -> Bytes {
    guard faces.contains(where: { $0.id == id }) else { throw MemeError.notFound }
    if let sample = samples.withLock({ $0[id] }) { return sample }
    let sample = try await renderer.sample(of: id)
    samples.withLock { $0[id] = sample }
    return sample
  }

  /// The font file of the face, for clients that draw captions themselves.
  ///
  /// - Throws: ``MemeError/notFound`` if ``faces`` does not contain the ID, or ``FontFace/hasFile`` is `false`.
  package func file(of id: FontID) async throws -> Bytes {
    guard faces.contains(where: { $0.id == id && $0.hasFile }) else { throw MemeError.notFound }
    return try await renderer.file(of: id)
  }
}
