import Foundation
import Memes
import Testing

@testable import Storage

/// A client that follows the memes of a person.
struct Follower {
  let store: Scratch
  let viewer: Principal
  var position: SyncPosition?

  /// Fetches all new changes, as `upsert <id> <version>` and `delete <id> <time>`.
  mutating func fetch(limit: Int = 100) async throws -> [String] {
    var told: [String] = []
    while true {
      let page = try await store.memes.changes(of: viewer, since: position, limit: limit)
      told += page.changes.map { change in
        switch change.state {
        case .upsert(let meme): "upsert \(meme.id) \(meme.version)"
        case .delete(let id, let time): "delete \(id) \(time.millisecondsSince1970)"
        }
      }
      position = page.end
      if !page.hasMore { return told }
    }
  }

  mutating func expect(
    _ changes: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var again = self
    let told = try await fetch(limit: 1)
    #expect(told == changes, sourceLocation: sourceLocation)
    #expect(try await again.fetch() == changes, sourceLocation: sourceLocation)
  }
}

extension Scratch {
  /// A client that already has everything of a person.
  func followed(_ person: Author) async throws -> Follower {
    Follower(
      store: self, viewer: .person(person.id),
      position: try await memes.changes(of: .person(person.id), since: nil, limit: 1).start)
  }

  /// Makes the next version of a meme.
  func edit(
    _ id: MemeID, _ visibility: Visibility? = nil, by viewer: Principal
  ) async throws {
    let now = try await memes.meme(id, for: viewer)
    let next = Meme(
      id: id, author: now.author, visibility: visibility ?? now.visibility,
      version: now.version + 1, createdAt: now.createdAt, updatedAt: now.updatedAt,
      recipe: now.recipe, altText: now.altText, original: now.original, image: now.image,
      tableThumbnail: now.tableThumbnail, gridThumbnail: now.gridThumbnail, fit: now.fit)
    _ = try await memes.replace(
      now.version, with: RevisedMeme(meme: next, files: [:]), by: viewer, recording: nil)
  }
}
