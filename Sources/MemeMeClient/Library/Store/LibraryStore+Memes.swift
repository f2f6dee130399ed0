import Foundation
import SQL

// The server's state of the memes.
extension LibraryStore {
  static func stored(_ meme: Meme.ID, in db: borrowing Access) throws -> Meme? {
    try db.first("SELECT json FROM memes WHERE id = ?", meme) { row in
      try row.nextRequiredJSON(Meme.self)
    }
  }

  static func put(
    _ meme: Meme, generation: Int, in db: borrowing Access
  ) throws {
    try db.run(
      """
      INSERT INTO memes (id, version, created_at, json, generation) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
        json = excluded.json, generation = excluded.generation
      """,
      meme.id, meme.version, meme.createdAt.milliseconds, try StoredJSON(meme), generation)
  }

  /// Stores the meme of a response, unless a newer version is stored already.
  static func putIfNewer(_ meme: Meme, in db: borrowing Access) throws {
    let place = try place(in: db)
    if let stored = try stored(meme.id, in: db), stored.version > meme.version { return }
    // After a restart from the beginning, only the pages show which memes exist: this one may be deleted since, and a
    // deletion from before the restart is not read again.
    let generation = place.isWhole ? place.generation : place.generation - 1
    try put(meme, generation: generation, in: db)
  }

  /// Removes a meme that the server no longer has, and its images.
  static func drop(_ meme: Meme.ID, in db: borrowing Access) throws {
    try db.run("DELETE FROM memes WHERE id = ?", meme)
    try db.run("DELETE FROM pictures WHERE meme = ?", meme)
  }

  /// Returns the memes that have not been seen since reading restarted from the beginning.
  static func unseen(
    before generation: Int, in db: borrowing Access
  ) throws -> [Meme.ID] {
    try db.all("SELECT id FROM memes WHERE generation < ?", generation) { row in
      try row.nextID()
    }
  }
}
