import Foundation
import Support
import Testing
import mememe

/// The web app in a real Chromium: each file of `Scenarios` against a server of its own.
///
/// What is numbered there is what the app promises. Pictures of its pages are left in `.build/screenshots`. One after the other: a
/// browser and a server keep two cores busy, and people in scenarios wait ten seconds and no longer.
@Suite(.serialized) struct BrowserTests {
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "ground", "sent", "long", "meme", "editor", "boxes", "edits", "share", "accounts", "social",
      "settings", "people", "offline", "outbox", "admin",
      "backups", "below",
    ])
  func `the app keeps its promises`(_ scenarios: String) async throws {
    try await withServer { server in try await run(scenarios, against: server) }
  }

  /// Where nobody does anything without an account, or anything too often.
  @Test(.timeLimit(.minutes(10))) func `the app keeps its promises on a closed server`()
    async throws
  {
    try await withServer({ ($0.anonymous, $0.limitsRates) = (false, true) }) { server in
      try await run("closed", against: server)
    }
  }

  private func run(_ scenarios: String, against server: TestServer) async throws {
    let (port, token) = (server.port, server.adminToken)
    let outbox = server.folder.appending(path: "outbox").path
    let report = try await blocking {
      try Python.run(
        file: Self.folder.appending(path: "run.py"), scenarios, "http://127.0.0.1:\(port)", token,
        Self.screenshots.path, "--outbox=\(outbox)", "--program=\(ServerProcess.executable.path)")
    }
    print(String(decoding: report, as: UTF8.self))
    #expect(try server.log.contains(" 500 ") == false)
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Scenarios")
  private static let screenshots = folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".build/screenshots")
}
