import Bytes
import CVips
import DrawingHelper
import Memes
import Support
import Testing

@testable import Imaging
@testable import Rendering

/// Messages of libvips that an earlier job left in the process.
struct LeftErrorTests {
  @Test func `an error has no text of an earlier job`() async throws {
    try Vips.start()
    let photo = Bytes(try Fixture.photo.bytes)
    let cut = try #require(photo.slice(0..<photo.count / 2))
    let text = "LeftErrorTests: out of memory"
    withVaList([]) { vips_verror("test", text, $0) }
    let drawer = WorkerDrawer(shelfBytes: 0)
    defer { drawer.end() }
    let job = RenderJob(
      .template, .sent(cut), limits: PictureLimits(pixels: 1_000_000))
    let error = #expect(throws: MemeError.self) {
      try drawer.perform(job, RenderTicket(deadline: .now + .seconds(600)))
    }
    guard case .invalid = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
