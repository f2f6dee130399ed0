import Bytes
import Imaging
import Memes
import Rendering

/// The faces of this machine with their samples, which are drawn once.
struct InstalledFonts: FontCatalogue {
  let faces: [FontFace]
  private let samples: [String: Bytes]

  init(_ renderer: PooledRenderer) async throws(MemeError) {
    let face = try await renderer.defaultFace()
    faces = [FontFace(id: face.id, family: face.family, installed: face.installed)]
    samples = [face.id: try await renderer.faceSample()]
  }

  func sample(of id: String) async throws(MemeError) -> Bytes {
    guard let sample = samples[id] else { throw .notFound }
    return sample
  }
}
