package import Memes
import SQL

extension MemeArchive {
  /// Data that does not match the rows from which it is derived: counters, the changes that clients sync, and the tags
  /// by which memes are found.
  package func wrongNumbers() -> [Finding] {
    StoredCount.all.compactMap(finding(of:))
      + Difference.all.compactMap { difference in
        let place = "table=\(difference.table)"
        return numbered(place) { db in
          let count: Int =
            try db.value("SELECT count(*) FROM (\(difference.query)) AS found") ?? 0
          guard count > 0 else { return nil }
          return Finding(
            difference.kind, place, "\(count) \(difference.words)", repair: difference.repair)
        }
      }
  }

  private func finding(of count: StoredCount) -> Finding? {
    let place = "table=\(count.table) column=\(count.column)"
    return numbered(place) { db in
      let wrong = try db.first(
        """
        SELECT count(*), min(\(count.column)), min(counted) FROM (
          SELECT \(count.column), \(count.expression) AS counted FROM \(count.source(db.dialect))) AS counts
        WHERE \(count.column) IS DISTINCT FROM counted
        """
      ) { row in
        (
          rows: try row.next() as Int, stored: try row.next() as Int64?,
          counted: try row.next() as Int64?
        )
      }
      guard let wrong, wrong.rows > 0 else { return nil }
      let detail =
        wrong.rows == 1
        ? "stored count is \(wrong.stored ?? 0), actual count is \(wrong.counted ?? 0)"
        : "\(wrong.rows) rows have a wrong count"
      return Finding(
        .wrongCount, place, detail, repair: .count(table: count.table, column: count.column))
    }
  }

  private func numbered(
    _ place: String, _ body: (borrowing Transaction) throws -> Finding?
  ) -> Finding? {
    do { return try readers.blockingRead(body) } catch {
      return Finding(.unreadableRow, place, error.reason)
    }
  }
}

/// A query for rows that do not follow from the memes.
private struct Difference {
  let query: String
  let table: String
  /// Follow the number of rows that the query finds.
  let words: String
  let kind: Finding.Kind
  let repair: RepairAction

  static let all = [
    Difference(
      query: ToldChange.wrong, table: "changes",
      words: "memes have a missing or outdated change", kind: .wrongChange, repair: .changes),
    Difference(
      query: ToldChange.stray, table: "changes",
      words: "changes refer to memes that do not exist", kind: .wrongChange, repair: .changes),
    Difference(
      query: MisplacedTags.memes, table: "meme_tags",
      words: "memes have other tags here than their own", kind: .wrongTags, repair: .tags),
  ]
}

/// Queries for the differences between the table `changes` and the memes.
enum ToldChange {
  /// Memes of an existing account without a matching row in `changes`.
  static let wrong = """
    SELECT memes.id, memes.author, memes.deleted_at FROM memes
    WHERE EXISTS (SELECT 1 FROM users WHERE seq = memes.author) AND NOT EXISTS (
      SELECT 1 FROM changes
      WHERE meme = memes.id AND changes.author = memes.author
        AND changes.deleted_at IS NOT DISTINCT FROM memes.deleted_at)
    """

  /// Rows for memes that neither exist nor are known to be deleted, and rows that report a deleted meme as existing.
  static let stray = """
    SELECT meme, author FROM changes
    WHERE NOT EXISTS (SELECT 1 FROM memes WHERE id = changes.meme AND author IS NOT NULL)
      AND (deleted_at IS NULL OR NOT EXISTS (SELECT 1 FROM deleted_memes WHERE id = changes.meme))
    """
}

/// A query for the differences between the table `meme_tags` and the memes.
enum MisplacedTags {
  /// The memes with other rows in `meme_tags` than their tags and their visibility require. A tag occurs only once in a
  /// meme, and has no character that JSON must escape, so its JSON is part of the text if the meme has it.
  static let memes = """
    SELECT seq, tags FROM memes
    WHERE (SELECT count(*) FROM meme_tags
        WHERE meme = memes.seq AND replace(memes.tags, '"' || tag || '"', '') <> memes.tags)
      <> CASE WHEN tags = '[]' THEN 0 ELSE (length(tags) - length(replace(tags, '","', ''))) / 3 + 1 END
      OR EXISTS (SELECT 1 FROM meme_tags
        WHERE meme = memes.seq AND (replace(memes.tags, '"' || tag || '"', '') = memes.tags
          OR is_public <> (memes.visibility = 0 AND memes.deleted_at IS NULL)))
    """
}
