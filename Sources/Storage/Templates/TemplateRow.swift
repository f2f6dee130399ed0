import Foundation
import Memes
import SQL

/// The columns that ``Template/init(_:)`` decodes, from `templates`.
let templateColumns = """
  id, name, alt_text, boxes, pictures, tags, aliases, source, version, created_at, format, width, height, byte_count,
  digest, thumbnail_format, thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest
  """

extension Template {
  /// Decodes ``templateColumns``.
  init(_ row: inout Row) throws {
    let id = TemplateID(try row.nextUUID())
    var fields = TemplateFields(
      name: TemplateName(stored: try row.next()), altText: AltText(stored: try row.next()))
    fields.boxes = try StoredTemplateBox.decode(try row.next())
    fields.pictures = try StoredPictureBox.decode(try row.next())
    fields.tags = try StoredTags.decode(try row.next())
    fields.aliases = try StoredTags.decode(try row.next()).map { TemplateAlias(stored: $0.text) }
    fields.source = (try row.next() as String?).map(TemplateSource.init(stored:))
    self.init(
      id: id, fields, version: try row.next(), createdAt: try row.nextTimestamp(),
      picture: try PictureFacts(&row), thumbnail: try PictureFacts(&row))
  }
}

/// A box of a template, as JSON in the column `boxes`. The names of the properties are part of the stored data.
struct StoredTemplateBox: Codable {
  private let name: String?
  private let caption: StoredCaption

  static func encode(_ boxes: [TemplateBox]) throws -> String {
    if boxes.isEmpty { return "[]" }
    do {
      let json = try JSONEncoder().encode(
        boxes.map { Self(name: $0.name?.text, caption: StoredCaption($0.box)) })
      return String(decoding: json, as: UTF8.self)
    } catch {
      // A number is not finite.
      throw MemeError.storage(error)
    }
  }

  /// - Throws: `.mismatch` if the text is not the output of ``encode(_:)``.
  static func decode(_ json: String) throws -> [TemplateBox] {
    if json == "[]" { return [] }
    do {
      let stored = try JSONDecoder().decode([Self].self, from: Data(json.utf8))
      return try stored.map {
        TemplateBox(name: $0.name.map(TemplateName.init(stored:)), try $0.caption.caption())
      }
    } catch {
      throw DatabaseError(.mismatch, "Invalid boxes in the database.")
    }
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
