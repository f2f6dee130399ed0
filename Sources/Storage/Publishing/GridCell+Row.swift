import Memes
import SQL

extension GridCell {
  /// Decodes ID, version, alt text, width and height. Returns `nil` if the row has no meme.
  init?(_ row: inout Row) throws {
    guard try !row.isNextNull else {
      try row.skip(5)
      return nil
    }
    self.init(
      id: try row.nextMemeID(), version: try row.next(), altText: AltText(stored: try row.next()),
      thumbnail: try PixelSize(&row))
  }
}
