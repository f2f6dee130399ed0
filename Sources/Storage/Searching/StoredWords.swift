import Memes
import SQL

// The search words of memes, in `meme_words`: a full-text index on SQLite, a table of pieces on PostgreSQL.
// The words are written in the transaction of the change.
//
// SQLite's rowid is the negated number of the meme: FTS5 scans up several times as fast as down, and the newest memes
// come first.

/// Inserts the search words of a meme.
///
/// - Parameters:
///   - meme: `memes.seq`.
///   - author: `users.seq`; `nil` if the meme has no author.
func insertWords(
  _ words: MemeWords, of meme: Int64, by author: Int64?, in db: borrowing Transaction
) throws {
  guard db.dialect == .sqlite else {
    return try insertPieces(words, of: meme, by: author, in: db)
  }
  try db.run(
    "INSERT INTO meme_words (rowid, captions, alt_text, author) VALUES (?, ?, ?, ?)",
    -meme, words.captions.text, words.altText.text, author.map(String.init) ?? "")
}

/// Replaces the search words of a meme. A meme that is not in the index yet gets its words later, from ``WordStore``.
func updateWords(
  _ words: MemeWords, of meme: Int64, in db: borrowing Transaction
) throws {
  guard db.dialect == .sqlite else { return try updatePieces(words, of: meme, in: db) }
  try db.run(
    "UPDATE meme_words SET captions = ?, alt_text = ? WHERE rowid = ?", words.captions.text,
    words.altText.text, -meme)
}

/// Sets the author of a meme.
func updateWords(
  by author: Int64, of meme: Int64, in db: borrowing Transaction
) throws {
  switch db.dialect {
  case .sqlite:
    try db.run("UPDATE meme_words SET author = ? WHERE rowid = ?", "\(author)", -meme)
  case .postgreSQL: try db.run("UPDATE meme_words SET author = ? WHERE meme = ?", author, meme)
  }
}

/// Deletes the search words of a meme that is about to be deleted.
func removeWords(of meme: Int64, in db: borrowing Transaction) throws {
  switch db.dialect {
  case .sqlite: try db.run("DELETE FROM meme_words WHERE rowid = ?", -meme)
  case .postgreSQL: try db.run("DELETE FROM meme_words WHERE meme = ?", meme)
  }
}

/// Deletes the search words of memes.
///
/// - Parameter memes: their numbers, a JSON array.
func removeWords(ofAll memes: String, in db: borrowing Transaction) throws {
  switch db.dialect {
  case .sqlite:
    try db.run("DELETE FROM meme_words WHERE rowid IN (SELECT -value FROM json_each(?))", memes)
  case .postgreSQL:
    try db.run(
      "DELETE FROM meme_words WHERE meme IN (SELECT CAST(value AS bigint) FROM json_each(?))", memes
    )
  }
}
