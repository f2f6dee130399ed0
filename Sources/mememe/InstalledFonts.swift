import Bytes
import Memes
import Rendering
import Synchronization

/// The faces of this machine with their samples, each drawn when it is first asked for, and their files, each read when it is
/// asked for: whoever asks keeps it.
final class InstalledFonts: FontCatalogue {
  let faces: [FontFace]
  /// How many families were added to the machine's.
  let added: Int
  private let renderer: PooledRenderer
  private let samples = Mutex<[FontID: Bytes]>([:])

  init(_ renderer: PooledRenderer) async throws(MemeError) {
    self.renderer = renderer
    (faces, added) = try await renderer.faces()
  }

  func sample(of id: FontID) async throws(MemeError) -> Bytes {
    guard faces.contains(where: { $0.id == id }) else { throw .notFound }
    if let sample = samples.withLock({ $0[id] }) { return sample }
    let sample = try await renderer.sample(of: id)
    samples.withLock { $0[id] = sample }
    return sample
  }

  func file(of id: FontID) async throws(MemeError) -> Bytes {
    guard faces.contains(where: { $0.id == id && $0.hasFile }) else { throw .notFound }
    return try await renderer.file(of: id)
  }
}
