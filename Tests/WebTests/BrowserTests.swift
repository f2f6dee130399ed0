import Foundation
import Support
import Testing

/// The web app in a real Chromium: each file of `Scenarios` against a server of its own.
///
/// What is numbered there is what the app promises. Pictures of its pages are left in `.build/screenshots`.
struct BrowserTests {
  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["ground", "sent", "long", "meme", "editor", "boxes", "edits", "share"])
  func `the app keeps its promises`(_ scenarios: String) async throws {
    try await withServer { server in
      let (port, token) = (server.port, server.adminToken)
      let report = try await blocking {
        try Python.run(
          file: Self.folder.appending(path: "run.py"), scenarios, "http://127.0.0.1:\(port)", token,
          Self.screenshots.path)
      }
      print(String(decoding: report, as: UTF8.self))
      #expect(try server.log.contains(" 500 ") == false)
    }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Scenarios")
  private static let screenshots = folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".build/screenshots")
}
