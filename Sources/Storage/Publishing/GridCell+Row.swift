import Memes
import SQLite

extension GridCell {
  /// Decodes id, version, alternative text, width and height, in five columns from `column` on; `nil` where there is none.
  init?(_ row: borrowing Row, at column: Int) throws(SQLiteError) {
    guard let version: Int = try row[column + 1] else { return nil }
    self.init(
      id: try row.memeID(at: column), version: version,
      altText: AltText(stored: try row[column + 2]),
      thumbnail: try PixelSize(row, at: column + 3))
  }
}
