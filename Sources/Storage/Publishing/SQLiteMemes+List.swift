package import Memes
import SQLite

/// The list, newest first, as each of its views shows it: a view reads what it shows and no more.
extension SQLiteMemes {
  package func page(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Meme> {
    try page(Self.pageQuery, after: position, limit: limit) { row throws(SQLiteError) in
      try Meme(row)
    }
  }

  static let pageQuery = inOrder(memeColumns, memePictures)

  package func tableRows(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<TableRow> {
    try page(Self.tableQuery, after: position, limit: limit) { row throws(SQLiteError) in
      TableRow(
        id: try row.memeID(at: 1), version: try row[2], createdAt: try row.timestamp(at: 3),
        top: CaptionText(stored: try row[4]), bottom: CaptionText(stored: try row[5]),
        thumbnail: try PixelSize(row, at: 6), shareCount: try row[8])
    }
  }

  static let tableQuery = inOrder(
    """
    SELECT memes.seq, memes.id, memes.version, memes.created_at, memes.top, memes.bottom,
      pictures.width, pictures.height, memes.share_count
    """,
    "CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 2")

  package func gridCells(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<GridCell> {
    try page(Self.gridQuery, after: position, limit: limit) { row throws(SQLiteError) in
      GridCell(
        id: try row.memeID(at: 1), version: try row[2], altText: AltText(stored: try row[3]),
        thumbnail: try PixelSize(row, at: 4))
    }
  }

  static let gridQuery = inOrder(
    """
    SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
    """,
    "CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3")

  /// The memes come in order from the index of those that are not deleted: the planner cannot know how much of the table is.
  ///
  /// - Parameter columns: the first is `memes.seq`.
  private static func inOrder(_ columns: String, _ pictures: String) -> String {
    """
    \(columns)
    FROM memes INDEXED BY memes_listed
    \(pictures)
    WHERE memes.seq < ? AND memes.deleted_at IS NULL ORDER BY memes.seq DESC LIMIT ?
    """
  }

  private func page<Item>(
    _ query: String, after position: ListPosition?, limit: Int,
    decode: (borrowing Row) throws(SQLiteError) -> Item
  ) throws(MemeError) -> Page<Item> {
    let start = position?.sequence ?? .max
    let limit = max(0, limit)
    var sequences: [Int64] = []
    // One more than asked for tells whether there is a next page.
    var items = try readers.read { db throws(MemeError) in
      try db.all(query, start, limit + 1) { row throws(SQLiteError) in
        sequences.append(try row[0])
        return try decode(row)
      }
    }
    guard items.count > limit else { return Page(items: items, next: nil) }
    items.removeLast()
    sequences.removeLast()
    return Page(items: items, next: sequences.last.map(ListPosition.init(sequence:)))
  }
}
