import Foundation
import SQL

/// An outbox entry that is being sent.
struct Sending: Sendable {
  let entry: OutboxEntry
  /// The source picture of a creation.
  let original: Original?
}

/// The source picture of a new meme.
struct Original: Sendable {
  let bytes: Data
  /// The resumable upload of the picture, if one was started.
  let upload: Upload.ID?
}

/// The outcome of sending an entry.
enum SendingOutcome: Sendable {
  /// The meme was created, now or by an earlier request.
  case created(Meme)
  case edited(Meme)
  case deleted
  /// The meme existed and is deleted.
  case gone
  /// The meme does not exist.
  case missing
  /// The edit was based on another version. The associated value is the current meme.
  case conflict(Meme)
  /// The server will never accept the entry as it is.
  case refused(LibraryDraft.Refusal)
}

// Sending outbox entries and recording the outcome.
extension LibraryStore {
  /// Returns the next entry to send. The entry is durably marked as attempted before it can reach the server.
  ///
  /// - Parameters:
  ///   - skipped: Memes to skip.
  ///   - most: Memes with a larger picture, in bytes, are skipped too if no upload of the picture was started.
  func next(
    but skipped: Set<Meme.ID>, withoutUpload most: Int = .max
  ) async throws(LibraryError) -> Sending? {
    try await write { db in
      // A meme has at most two entries.
      let waiting = try db.all(
        """
        SELECT number, meme FROM outbox WHERE NOT EXISTS (
          SELECT 1 FROM originals
          WHERE originals.meme = outbox.meme AND upload IS NULL AND length(bytes) > ?)
        ORDER BY number LIMIT ?
        """, most, 2 * skipped.count + 1
      ) { row in (number: try row.next() as Int64, meme: try row.nextID()) }
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
  ) throws -> Original? {
    try db.first("SELECT bytes, upload FROM originals WHERE meme = ?", meme) {
      row in
      Original(
        bytes: try row.nextData(), upload: (try row.next() as String?).flatMap { Upload.ID($0) })
    }
  }

  /// Records the upload that carries the picture of a creation; `nil` to upload the picture again.
  func note(_ upload: Upload.ID?, of meme: Meme.ID) async throws(LibraryError) {
    try await write { db in
      try db.run("UPDATE originals SET upload = ? WHERE meme = ?", upload?.description, meme)
    }
  }

  /// Records the outcome of an entry. If the entry no longer exists, it is already settled and the outcome is ignored.
  func settle(_ sent: OutboxEntry, _ outcome: SendingOutcome) async throws(LibraryError) {
    let time = milliseconds
    try await write { db in
      guard let entry = try Self.entry(sent.number, in: db) else { return }
      switch (entry.kind, outcome) {
      case (.creation, .created(let meme)):
        try Self.putIfNewer(meme, in: db)
        try Self.settleCreation(entry, as: meme, in: db)
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
        // The creation of the meme may still be in transit.
        try Self.drop(entry.meme, in: db)
        try Self.remove(entry: entry.number, in: db)
        try Self.withdraw(entry.meme, at: time, in: db)
      case (_, .refused(let refusal)):
        try Self.keepAsDraft(entry, because: .refused(refusal), at: time, in: db)
      default:
        throw LibraryError.storage("The response does not match the request.")
      }
    }
  }

  /// Returns the number of entries that wait to be sent.
  func waitingCount() throws(LibraryError) -> Int {
    try read { db in
      try db.first("SELECT count(*) FROM outbox") { row in try row[0] as Int }
        ?? 0
    }
  }
}
