import Memes
import Rendering
import Synchronization

/// What libvips can write on this machine, tried once.
///
/// AVIF's encoder and its tables stay in memory once it was used, four megabytes for nothing where nobody asks for AVIF.
final class InstalledFormats: WritableFormats {
  private static let costly: [OutputFormat] = [.avif]

  let common: [OutputFormat]
  private let renderer: PooledRenderer
  private let known = Mutex<[OutputFormat]?>(nil)

  init(_ renderer: PooledRenderer) async throws(MemeError) {
    self.renderer = renderer
    common = try await renderer.writable(
      OutputFormat.allCases.filter { !Self.costly.contains($0) })
  }

  func all() async throws(MemeError) -> [OutputFormat] {
    if let known = known.withLock({ $0 }) { return known }
    // Some may find out at the same time, and find the same.
    let all = common + (try await renderer.writable(Self.costly))
    known.withLock { $0 = all }
    return all
  }
}
