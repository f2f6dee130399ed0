import Foundation
import SQLite

// The memes as the server has them.
extension LibraryStore {
  static func stored(_ meme: Meme.ID, in db: borrowing Access) throws(LibraryError) -> Meme? {
    try db.first("SELECT json FROM memes WHERE id = ?", meme) { row throws(SQLiteError) in
      try row.requiredJSON(Meme.self, at: 0)
    }
  }

  static func put(
    _ meme: Meme, generation: Int, in db: borrowing Access
  ) throws(LibraryError) {
    try db.run(
      """
      INSERT INTO memes (id, version, created_at, json, generation) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
        json = excluded.json, generation = excluded.generation
      """,
      meme.id, meme.version, meme.createdAt.milliseconds, try StoredJSON(meme), generation)
  }

  /// Puts what an answer showed, unless something newer is there already.
  static func putIfNewer(_ meme: Meme, in db: borrowing Access) throws(LibraryError) {
    let place = try place(in: db)
    if let stored = try stored(meme.id, in: db), stored.version > meme.version { return }
    try put(meme, generation: place.generation, in: db)
  }

  /// Takes a meme out that the server does not have any more, with the pictures of it.
  static func drop(_ meme: Meme.ID, in db: borrowing Access) throws(LibraryError) {
    try db.run("DELETE FROM memes WHERE id = ?", meme)
    try db.run("DELETE FROM pictures WHERE meme = ?", meme)
  }

  /// The memes that were not seen since reading began at the beginning.
  static func unseen(
    before generation: Int, in db: borrowing Access
  ) throws(LibraryError) -> [Meme.ID] {
    try db.all("SELECT id FROM memes WHERE generation < ?", generation) { row throws(SQLiteError) in
      try row.id(at: 0)
    }
  }
}
