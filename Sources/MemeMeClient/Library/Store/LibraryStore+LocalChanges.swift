import Foundation
import SQL

// Local changes. A change is in the outbox when the call returns.
//
// An entry that may have reached the server is not modified and is sent again unchanged. Other entries are merged with
// later changes, except for a creation with resets that only an edit can make. So a meme has at most a creation or an
// edit, followed by one edit; or a single deletion.
extension LibraryStore {
  func create(_ content: MemeEdit, picture: Data) async throws(LibraryError) -> Meme.ID {
    let (meme, time) = (Meme.ID(), milliseconds)
    return try await write(bytes: picture.count) { db in
      try db.run("INSERT INTO originals (meme, bytes) VALUES (?, ?)", meme, picture)
      try Self.append(.creation(content), of: meme, at: time, in: db)
      return meme
    }
  }

  /// - Throws: ``LibraryError/noSuchMeme``.
  func edit(_ meme: Meme.ID, _ changes: MemeEdit) async throws(LibraryError) {
    let time = milliseconds
    try await write { db in
      try Self.edit(meme, changes, at: time, in: db)
    }
  }

  static func edit(
    _ meme: Meme.ID, _ changes: MemeEdit, at time: Int64, in db: borrowing Access
  ) throws {
    let entries = try entries(of: meme, in: db)
    let last = entries.last
    guard last?.kind != .deletion else { throw LibraryError.noSuchMeme }
    if let last, let content = last.content, !last.wasAttempted,
      last.kind != .creation || changes.resetsOfSettings == MemeEdit()
    {
      return try replace(contentOf: last.number, with: content.followed(by: changes), in: db)
    }
    // The user sees the meme with the earlier edit.
    let base = try stored(meme, in: db)?.with(MemeEdit(entries.map(\.content)))
    guard last != nil || base != nil else {
      return try edit(creationDraftOf: meme, changes, in: db)
    }
    let version = last == nil ? base?.version : nil
    try append(.edit(changes, version: version, base: base), of: meme, at: time, in: db)
  }

  /// - Throws: ``LibraryError/noSuchMeme``.
  func delete(_ meme: Meme.ID) async throws(LibraryError) {
    let time = milliseconds
    try await write { db in
      let entries = try Self.entries(of: meme, in: db)
      guard entries.last?.kind != .deletion else { throw LibraryError.noSuchMeme }
      let isStored = try Self.stored(meme, in: db) != nil
      let drafts = try Self.drafts(of: meme, in: db)
      guard isStored || !drafts.isEmpty || !entries.isEmpty else { throw LibraryError.noSuchMeme }
      // A deletion supersedes all earlier changes.
      try Self.removeEntries(of: meme, in: db)
      try Self.removeDrafts(of: meme, in: db)
      try Self.removeOriginal(of: meme, in: db)
      let mayBeThere = isStored || entries.contains { $0.wasAttempted }
      if mayBeThere {
        try Self.append(.deletion, of: meme, at: time, in: db)
      } else if drafts.contains(where: \.mayArrive) {
        try Self.withdraw(meme, at: time, in: db)
      }
    }
  }
}
