import Bytes
import Imaging
import Memes
import Rendering

/// The faces of this machine with their samples, which are drawn once.
struct InstalledFonts: FontCatalogue {
  let faces: [FontFace]
  private let samples: [FontID: Bytes]

  init(_ renderer: PooledRenderer) async throws(MemeError) {
    let face = try await renderer.defaultFace()
    let id = FontID(stored: face.id)
    faces = [FontFace(id: id, family: face.family, installed: face.installed)]
    samples = [id: try await renderer.faceSample()]
  }

  func sample(of id: FontID) async throws(MemeError) -> Bytes {
    guard let sample = samples[id] else { throw .notFound }
    return sample
  }
}
