import Foundation
import MemeMeClient
import Observation

@MainActor @Observable
final class MemeShelf {
  private(set) var memes: [LibraryItem] = []
  private(set) var drafts: [LibraryDraft] = []
  private(set) var status = LibraryStatus.idle
  let library: MemeLibrary

  init(_ library: MemeLibrary) { self.library = library }

  /// Syncs and shows what there is, until the task is cancelled.
  func follow() async throws {
    async let syncing: Void = library.run()
    for await _ in library.updates {
      memes = try await library.grid(limit: 300)
      drafts = try await library.drafts()
      status = library.status
    }
    await syncing
  }

  func post(_ picture: Data, top: String, bottom: String) async throws {
    try await library.create(MemeFields(top: top, bottom: bottom), picture: picture)
  }

  func rename(_ meme: LibraryItem, top: String) async throws {
    try await library.edit(meme.id, MemeEdit(top: top))
  }

  func delete(_ meme: LibraryItem) async throws { try await library.delete(meme.id) }
}
