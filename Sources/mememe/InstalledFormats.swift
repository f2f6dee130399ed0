import Memes
import Rendering
import Synchronization

/// The formats that libvips can write on this machine, each tested once.
///
/// AVIF is tested only on demand: its encoder and tables stay in memory after first use, four megabytes that a server
/// without AVIF requests does not need.
final class InstalledFormats: WritableFormats {
  private static let costly: [OutputFormat] = [.avif]

  let common: [OutputFormat]
  private let renderer: PooledRenderer
  private let known = Mutex<[OutputFormat]?>(nil)

  init(_ renderer: PooledRenderer) async throws {
    self.renderer = renderer
    common = try await renderer.writable(
      OutputFormat.allCases.filter { !Self.costly.contains($0) })
  }

  func all() async throws -> [OutputFormat] {
    if let known = known.withLock({ $0 }) { return known }
    // Concurrent callers may test at the same time, with the same result.
    let all = common + (try await renderer.writable(Self.costly))
    known.withLock { $0 = all }
    return all
  }
}
