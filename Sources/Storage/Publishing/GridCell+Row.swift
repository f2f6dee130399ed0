import Memes
import SQLite

extension GridCell {
  /// Decodes ID, version, alt text, width and height from five columns, beginning at `column`. Returns `nil` if the row
  /// has no meme.
  init?(_ row: borrowing Row, at column: Int) throws {
    guard let version: Int = try row[column + 1] else { return nil }
    self.init(
      id: try row.memeID(at: column), version: version,
      altText: AltText(stored: try row[column + 2]),
      thumbnail: try PixelSize(row, at: column + 3))
  }
}
