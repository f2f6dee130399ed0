import Memes
import SQLite

// What memes are found by, in `meme_words`, each under its number with a minus before it: FTS5 goes up several times as fast as down, and
// the newest are wanted first. It is written in the transaction of what it tells of.

/// Keeps a meme's words.
///
/// - Parameters:
///   - meme: `memes.seq`.
///   - author: `users.seq`; `nil` for nobody's.
func insertWords(
  _ words: MemeWords, of meme: Int64, by author: Int64?, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    "INSERT INTO meme_words (rowid, captions, alt_text, author) VALUES (?, ?, ?, ?)",
    -meme, words.captions.text, words.altText.text, author.map(String.init) ?? "")
}

/// Puts a meme's words in the place of those that it had. One from before there were any has them when its turn comes.
func updateWords(
  _ words: MemeWords, of meme: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    "UPDATE meme_words SET captions = ?, alt_text = ? WHERE rowid = ?", words.captions.text,
    words.altText.text, -meme)
}

/// Says whose a meme is now.
func updateWords(
  by author: Int64, of meme: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run("UPDATE meme_words SET author = ? WHERE rowid = ?", "\(author)", -meme)
}

/// Forgets the words of a meme that is about to be removed.
func removeWords(of meme: Int64, in db: borrowing Transaction<MemeError>) throws(MemeError) {
  try db.run("DELETE FROM meme_words WHERE rowid = ?", -meme)
}

/// Forgets the words of all memes of somebody who leaves.
func removeWords(
  ofAll author: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    "DELETE FROM meme_words WHERE rowid IN (SELECT -seq FROM memes WHERE author = ?)", author)
}
