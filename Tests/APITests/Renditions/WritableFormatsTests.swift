import HTTP
import Memes
import Synchronization
import Testing

@testable import API

/// Formats that are expensive to probe are probed only if a request needs them.
struct WritableFormatsTests {
  private final class Formats: WritableFormats {
    let common: [OutputFormat] = [.jpeg, .png, .webp, .gif]
    let tries = Atomic(0)

    func all() async throws -> [OutputFormat] {
      tries.add(1, ordering: .relaxed)
      return common + [.avif]
    }
  }

  @Test(
    arguments: [
      (nil, nil, false), (nil, "*/*", false), ("png", "image/*, */*;q=0.5", false),
      ("webp", nil, false), ("avif", nil, true), (nil, "image/avif", true),
      (nil, "image/webp, IMAGE/AVIF;q=0.1", true), ("jpeg", "image/avif", true),
      // Rejected with a list of all available formats.
      ("bmp", nil, true), ("", nil, true),
    ] as [(String?, String?, Bool)])
  func `only a request that names a costly format probes it`(
    format: String?, accept: String?, isTried: Bool
  ) async throws {
    let formats = Formats()
    let available = try await formats.available(naming: format, or: Accept(accept))
    #expect(available.contains(.avif) == isTried)
    #expect(formats.tries.load(ordering: .relaxed) == (isTried ? 1 : 0))
  }
}
