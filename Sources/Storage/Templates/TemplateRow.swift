import Memes
import SQL

/// The columns that ``Template/init(_:)`` decodes, from `templates`.
let templateColumns = """
  id, name, alt_text, created_at, format, width, height, byte_count, digest,
  thumbnail_format, thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest
  """

extension Template {
  /// Decodes ``templateColumns``.
  init(_ row: inout Row) throws {
    self.init(
      id: TemplateID(try row.nextUUID()), name: TemplateName(stored: try row.next()),
      altText: AltText(stored: try row.next()), createdAt: try row.nextTimestamp(),
      picture: try PictureFacts(&row), thumbnail: try PictureFacts(&row))
  }
}

/// A file of the template that matches a condition with one parameter; `nil` if there is none.
func placedPicture(
  _ role: TemplateRole, _ condition: String, _ value: any Bindable,
  in db: borrowing Transaction
) throws -> PlacedFile? {
  let columns =
    switch role {
    case .picture: "format, width, height, byte_count, digest, blob"
    case .thumbnail:
      """
      thumbnail_format, thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest, thumbnail_blob
      """
    }
  let found = try db.first("SELECT \(columns) FROM templates WHERE \(condition)", value) {
    row in (facts: try PictureFacts(&row), blob: try row.next() as Int64)
  }
  return try found.map { try PlacedFile($0.facts, $0.blob, in: db) }
}
