import Eventually
import Foundation
import MemeMeClient
import Testing
import Wire

/// The tutorial in the documentation.
@MainActor
struct TutorialTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `the tutorial's model is the one compiled here`() throws {
    let tutorial = try String(
      contentsOf: Self.root.appending(
        path: "Sources/MemeMeClient/Documentation.docc/TableAndGrid.md"), encoding: .utf8)
    let model = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "MemeShelf.swift"), encoding: .utf8)
    #expect(tutorial.contains("```swift\n\(model)```"))
  }

  @Test func `the tutorial's model shows the memes`() async throws {
    try await withLibrary { library, script, _ in
      let id = Meme.ID()
      script.on(
        "GET /memes/changes",
        LibraryScript.page(LibraryScript.upsert(LibraryScript.meme(id, top: "theirs"))))
      let shelf = MemeShelf(library)
      let following = Task { try await shelf.follow() }
      try await until { shelf.memes.map(\.id) == [id] && shelf.memes.first?.thumbnail != nil }
      try await shelf.post(photo, top: "mine", bottom: "too")
      try await until { shelf.memes.count == 2 && shelf.memes.allSatisfy { $0.state == .sent } }
      script.on("PATCH /memes/ID", LibraryScript.problem(422, "invalid-input"))
      let meme = try #require(shelf.memes.first)
      try await shelf.rename(meme, top: "other")
      try await until { !shelf.drafts.isEmpty }
      script.on("DELETE /memes/ID", LibraryScript.done)
      try await shelf.delete(meme)
      try await until { shelf.memes.count == 1 && shelf.drafts.isEmpty }
      following.cancel()
      try await following.value
    }
  }

  private func until(_ isSo: () -> Bool) async throws {
    try await eventually("the library is as expected") { isSo() }
  }
}
