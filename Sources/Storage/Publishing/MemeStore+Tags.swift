package import Memes
import SQL

extension MemeStore {
  /// The tags of public memes that begin like this, the most frequent first; of equally frequent ones the first in the
  /// order of their bytes.
  ///
  /// Without a beginning, they are tags of the newest memes with tags. Only ``tagsOfAPage`` tags are considered, and
  /// ``CountedTag/maximumCount`` memes of each, so the cost does not depend on the number of tags and memes.
  ///
  /// - Parameter beginning: `nil` for any.
  package func tags(beginning: Tag?, atMost count: Int) async throws -> [CountedTag] {
    try await readers.read { db in
      func read(_ row: inout Row) throws -> CountedTag {
        CountedTag(Tag(stored: try row.next()), memes: try row.next())
      }
      guard let beginning else {
        return try db.all(Self.newestTagsQuery, count, decode: read)
      }
      let (first, last) = Self.bounds(of: beginning)
      return try db.all(Self.tagsQuery, first, last + "\u{10FFFF}", count, decode: read)
    }
  }

  /// The first and the last form of the beginning of a tag. A letter may follow a last small sigma, so both forms of it
  /// count. They are neighbors in Unicode.
  private static func bounds(of beginning: Tag) -> (first: String, last: String) {
    guard let end = beginning.text.last, end == "σ" || end == "ς" else {
      return (beginning.text, beginning.text)
    }
    let stem = beginning.text.dropLast()
    return (stem + "ς", stem + "σ")
  }

  /// The maximum number of tags that one call considers.
  private static let tagsOfAPage = 40

  /// Each step of the recursion is one lookup of the next tag in the index.
  static let tagsQuery = """
    WITH RECURSIVE found (tag, place) AS (
      SELECT (SELECT min(tag) FROM meme_tags WHERE is_public AND tag >= ?1 AND tag < ?2), 1
      UNION ALL
      SELECT
        (SELECT min(tag) FROM meme_tags WHERE is_public AND tag > found.tag AND tag < ?2), place + 1
      FROM found WHERE found.tag IS NOT NULL AND place < \(tagsOfAPage)
    )
    \(counted("found"))
    LIMIT ?3
    """

  static let newestTagsQuery = """
    WITH found (tag) AS (
      SELECT DISTINCT tag FROM (
        SELECT tag FROM meme_tags INDEXED BY meme_tags_newest WHERE is_public ORDER BY meme DESC, tag DESC LIMIT \(tagsOfAPage)
      ) AS newest
    )
    \(counted("found"))
    LIMIT ?1
    """

  private static func counted(_ table: String) -> String {
    """
    SELECT tag, memes FROM (
      SELECT tag, (
        SELECT count(*) FROM (
          SELECT 1 FROM meme_tags AS other INDEXED BY meme_tags_public
          WHERE other.is_public AND other.tag = \(table).tag
          LIMIT \(CountedTag.maximumCount)
        ) AS shown
      ) AS memes
      FROM \(table) WHERE tag IS NOT NULL
    ) AS counted
    WHERE memes > 0 ORDER BY memes DESC, tag
    """
  }
}
