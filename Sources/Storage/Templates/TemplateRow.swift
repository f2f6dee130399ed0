import Memes
import SQLite

/// The columns that ``Template/init(_:)`` decodes. The first one is `seq`.
let selectTemplate = """
  SELECT seq, id, created_at, name, alt_text, format, width, height, byte_count, digest, thumbnail_format,
    thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest
  FROM templates
  """

extension Template {
  /// Decodes the columns of ``selectTemplate``.
  init(_ row: borrowing Row) throws {
    self.init(
      id: TemplateID(try row.uuid(at: 1)), name: TemplateName(stored: try row[3]),
      altText: AltText(stored: try row[4]), createdAt: try row.timestamp(at: 2),
      picture: try PictureFacts(row, at: 5), thumbnail: try PictureFacts(row, at: 10))
  }
}

/// A file of the template that matches a condition with one parameter; `nil` if there is none.
func storedPicture(
  _ role: TemplateRole, _ condition: String, _ value: any Bindable,
  in db: borrowing Transaction
) throws -> PictureFile? {
  let columns =
    switch role {
    case .picture: "format, width, height, byte_count, digest, blob"
    case .thumbnail:
      """
      thumbnail_format, thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest, thumbnail_blob
      """
    }
  let found = try db.first("SELECT \(columns) FROM templates WHERE \(condition)", value) {
    row in (facts: try PictureFacts(row, at: 0), blob: try row[5] as Int64)
  }
  guard let found else { return nil }
  return PictureFile(
    facts: found.facts, bytes: try db.blob(table: "blobs", column: "bytes", row: found.blob))
}
