import Foundation
import Memes
import SQL

/// A caption box, as JSON in the column `captions`. The names of the properties are part of the stored data.
///
/// Few memes have caption boxes, so this does not need the speed of ``StoredFitReader``.
struct StoredCaption: Codable {
  private let text: String
  private let x: Double
  private let y: Double
  private let width: Double
  private let height: Double
  private let rotation: Double
  private let verticalAlign: String
  private let font: String?
  private let fill: String?
  private let outline: String?
  private let outlineWidth: Double?
  private let size: Double?
  private let letterCase: String?
  private let align: String?

  static func encode(_ captions: [CaptionBox]) throws -> String {
    if captions.isEmpty { return "[]" }
    do {
      let json = try JSONEncoder().encode(captions.map(StoredCaption.init))
      return String(decoding: json, as: UTF8.self)
    } catch {
      // A number is not finite.
      throw MemeError.storage(error)
    }
  }

  /// - Throws: `.mismatch` if the text is not the output of ``encode(_:)``.
  static func decode(_ json: String) throws -> [CaptionBox] {
    if json == "[]" { return [] }
    do {
      let stored = try JSONDecoder().decode([StoredCaption].self, from: Data(json.utf8))
      return try stored.map { try $0.caption() }
    } catch {
      throw DatabaseError(.mismatch, "Invalid captions in the database.")
    }
  }

  init(_ box: CaptionBox) {
    (text, rotation, verticalAlign) = (box.text.text, box.rotation, box.verticalAlign.rawValue)
    (x, y, width, height) = (box.place.x, box.place.y, box.place.width, box.place.height)
    (font, outlineWidth, size) = (box.style.font?.text, box.style.outlineWidth, box.style.size)
    (fill, outline) = (box.style.fill?.description, box.style.outline?.description)
    (letterCase, align) = (box.style.letterCase?.rawValue, box.style.align?.rawValue)
  }

  func caption() throws -> CaptionBox {
    guard let place = CaptionBox.Place(x: x, y: y, width: width, height: height),
      CaptionBox.rotations.contains(rotation)
    else { throw DatabaseError(.mismatch, "Invalid caption box in the database.") }
    var style = StyleChoices()
    style.font = font.map(FontID.init(stored:))
    style.fill = try fill.map(Color.init)
    style.outline = try outline.map(Color.init)
    (style.outlineWidth, style.size) = (outlineWidth, size)
    style.letterCase = try letterCase.map { try Self.word($0) }
    style.align = try align.map { try Self.word($0) }
    return CaptionBox(
      text: CaptionText(stored: text), place: place, rotation: rotation,
      verticalAlign: try Self.word(verticalAlign), style: style)
  }

  private static func word<Word: RawRepresentable<String>>(_ text: String) throws -> Word {
    guard let word = Word(rawValue: text) else {
      throw DatabaseError(.mismatch, "Unknown caption setting in the database.")
    }
    return word
  }
}
