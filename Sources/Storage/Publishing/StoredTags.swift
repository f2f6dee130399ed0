import Memes
import SQL

/// The tags of a meme, as a JSON array of texts in the column `tags`. A tag has no character that JSON must escape.
enum StoredTags {
  static func encode(_ tags: [Tag]) -> String {
    "[\(tags.map { "\"\($0.text)\"" }.joined(separator: ","))]"
  }

  /// - Throws: `.mismatch` if the text is not the output of ``encode(_:)``.
  static func decode(_ json: String) throws -> [Tag] {
    if json == "[]" { return [] }
    // Scalars, because some letters are one Character with the quotation mark after them.
    let parts = json.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count > 2, parts.count % 2 == 1, parts.first == "[", parts.last == "]" else {
      throw DatabaseError(.mismatch, "Invalid tags in the database.")
    }
    return stride(from: 1, to: parts.count, by: 2).map { Tag(stored: parts[$0]) }
  }
}

/// Inserts the tags of a meme that has none in `meme_tags`.
///
/// - Parameter meme: `memes.seq`.
func insertTags(_ tags: [Tag], of meme: Int64, in db: borrowing Transaction) throws {
  try db.run(
    """
    INSERT INTO meme_tags (tag, meme)
    SELECT tag.value ->> 0, ?2 FROM json_each(?1) AS tag
    """, "[\(tags.map { "[\"\($0.text)\"]" }.joined(separator: ","))]", meme)
}

/// Replaces the tags of a meme in `meme_tags`.
func replaceTags(with tags: [Tag], of meme: Int64, in db: borrowing Transaction) throws {
  try db.run("DELETE FROM meme_tags WHERE meme = ?", meme)
  if !tags.isEmpty { try insertTags(tags, of: meme, in: db) }
}
