import Foundation
import SQLite

/// An entry on its way to the server.
struct Sending: Sendable {
  let entry: OutboxEntry
  /// The picture of a creation.
  let original: Original?
}

/// The picture that a meme is to be made of.
struct Original: Sendable {
  let bytes: Data
  /// The upload that it was begun to be sent by, in pieces.
  let upload: Upload.ID?
}

/// What the server did with an entry.
enum SendingOutcome: Sendable {
  /// It was made, or was there already.
  case created(Meme)
  case edited(Meme)
  case deleted
  /// There was such a meme, and it is deleted.
  case gone
  /// There is no such meme.
  case missing
  /// An edit was meant for another version: what the meme is now.
  case conflict(Meme)
  /// It will never be done as it is.
  case refused(LibraryDraft.Refusal)
}

// From the outbox to the server and back.
extension LibraryStore {
  /// The next entry that is to be sent, marked as one that may have reached the server: that is durable before it can.
  ///
  /// - Parameter skipped: memes whose turn is not now.
  func next(but skipped: Set<Meme.ID>) async throws(LibraryError) -> Sending? {
    try await write { db throws(LibraryError) in
      // Of one meme there are two entries at most.
      let waiting = try db.all(
        "SELECT number, meme FROM outbox ORDER BY number LIMIT ?", 2 * skipped.count + 1
      ) { row throws(SQLiteError) in (number: try row[0] as Int64, meme: try row.id(at: 1)) }
      guard let first = waiting.first(where: { !skipped.contains($0.meme) }),
        let entry = try Self.entry(first.number, in: db)
      else { return nil }
      try db.run("UPDATE outbox SET was_attempted = 1 WHERE number = ?", entry.number)
      let original =
        entry.kind == .creation ? try Self.original(of: entry.meme, in: db) : nil
      return Sending(entry: entry, original: original)
    }
  }

  static func original(
    of meme: Meme.ID, in db: borrowing Access
  ) throws(LibraryError) -> Original? {
    try db.first("SELECT bytes, upload FROM originals WHERE meme = ?", meme) {
      row throws(SQLiteError) in
      Original(
        bytes: try row.data(at: 0), upload: (try row[1] as String?).flatMap { Upload.ID($0) })
    }
  }

  /// Notes by which upload the picture of a creation goes to the server; `nil` where it has to go anew.
  func note(_ upload: Upload.ID?, of meme: Meme.ID) async throws(LibraryError) {
    try await write { db throws(LibraryError) in
      try db.run("UPDATE originals SET upload = ? WHERE meme = ?", upload?.description, meme)
    }
  }

  /// Notes what the server did. Where the entry is not there any more, that is settled already, and the answer says nothing new.
  func settle(_ sent: OutboxEntry, _ outcome: SendingOutcome) async throws(LibraryError) {
    let time = milliseconds
    try await write { db throws(LibraryError) in
      guard let entry = try Self.entry(sent.number, in: db) else { return }
      switch (entry.kind, outcome) {
      case (.creation, .created(let meme)):
        try Self.putIfNewer(meme, in: db)
        try Self.settleCreation(entry, in: db)
        try Self.settleEdits(against: meme, at: time, in: db)
      case (.creation, .gone):
        try Self.creationIsGone(entry, at: time, in: db)
      case (.edit, .edited(let meme)):
        try Self.putIfNewer(meme, in: db)
        try Self.settleEdit(entry, as: meme.version, in: db)
      case (.edit, .conflict(let current)):
        try Self.putIfNewer(current, in: db)
        if let version = entry.version, entry.content?.isIn(current) == true {
          try Self.settleEdit(entry, as: version + 1, in: db)
        } else {
          try Self.keepAsDraft(entry, because: .changedElsewhere, at: time, in: db)
        }
      case (.edit, .gone), (.edit, .missing):
        try Self.keepAsDraft(entry, because: .deletedElsewhere, at: time, in: db)
      case (.deletion, .deleted), (.deletion, .gone):
        try Self.drop(entry.meme, in: db)
        try Self.remove(entry: entry.number, in: db)
      case (.deletion, .missing):
        // Its creation may still be on its way.
        try Self.drop(entry.meme, in: db)
        try Self.remove(entry: entry.number, in: db)
        try db.run(
          "INSERT OR REPLACE INTO withdrawn (meme, created_at) VALUES (?, ?)", entry.meme, time)
      case (_, .refused(let refusal)):
        try Self.keepAsDraft(entry, because: .refused(refusal), at: time, in: db)
      default:
        throw .storage("An answer does not belong to what was sent.")
      }
    }
  }

  /// How much is still to be sent.
  func waitingCount() throws(LibraryError) -> Int {
    try read { db throws(LibraryError) in
      try db.first("SELECT count(*) FROM outbox") { row throws(SQLiteError) in try row[0] as Int }
        ?? 0
    }
  }
}
