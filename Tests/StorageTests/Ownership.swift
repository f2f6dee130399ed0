import Foundation
import Memes
import SQL
import SQLite
import Storage

extension Scratch {
  /// Inserts an account with this name.
  func person(_ name: String) async throws -> Author {
    let author = Author(
      id: UserID(UUID()), username: try Username(name), displayName: try DisplayName("\(name) 🐈"))
    let time = Timestamp(millisecondsSince1970: 0)
    let user = User(
      id: author.id, username: author.username, email: try EmailAddress("\(name)@example.org"),
      displayName: author.displayName, biography: nil, createdAt: time, passwordChangedAt: time)
    _ = try await UserStore(database).insert(
      Account(user: user, password: HashedPassword("$\(name)")), recording: nil)
    return author
  }

  /// Inserts a meme.
  func make(_ visibility: Visibility = .public, by author: Author? = nil) async throws -> MemeID {
    let new = try newMeme(by: author, visibility)
    _ = try await memes.insert(new)
    return new.meme.id
  }

  /// Returns the ids of a list, page by page.
  func listed(
    for viewer: Principal, _ scope: MemeListing.Scope = .everybodys,
    _ order: MemeListing.Order? = nil, limit: Int
  ) async throws -> [MemeID] {
    var (ids, position): ([MemeID], ListPosition?) = ([], nil)
    repeat {
      let listing = MemeListing(for: viewer, scope, order, after: position, limit: limit)
      let page = try await memes.gridCells(listing)
      ids += page.items.map(\.id)
      position = page.next
    } while position != nil
    return ids
  }
}
