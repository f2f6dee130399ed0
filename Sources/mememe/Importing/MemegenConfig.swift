import Bytes
import Foundation
import Memes
import YAML

/// The file `config.yml` of a template of memegen, another meme server.
///
/// Its boxes are placed in whole pixels of a picture whose shorter edge is 600 pixels, and rotated counterclockwise.
struct MemegenConfig {
  static let maximumBytes = 64 << 10
  private static let shorterEdge = 600.0

  private let config: YAML

  /// - Throws: if the text is not a mapping, or has anchors, tags, or more than 8 levels.
  init(_ text: Bytes) throws(RowFault) {
    var limits = YAMLLimits()
    (limits.bytes, limits.nodes, limits.depth) = (Self.maximumBytes, 4000, 8)
    do throws(YAMLError) {
      config = try text.withUnsafeBytes { text throws(YAMLError) in
        try YAML(parsing: text, limits: limits)
      }
    } catch { throw RowFault("config.yml", "\(error)") }
    guard config.mapping != nil else { throw RowFault("config.yml", "Must be a mapping.") }
  }

  /// The fields of the template. Values that this server cannot store are left out.
  ///
  /// - Parameters:
  ///   - folder: the name of the folder, which is the ID of the template in memegen.
  ///   - size: the size of the picture.
  ///   - faces: the font faces that boxes can use.
  /// - Throws: if the template has no valid name.
  func fields(
    named folder: String, size: PixelSize, faces: [FontFace]
  ) throws(RowFault) -> TemplateFields {
    var fields: TemplateFields
    do throws(InvalidValue) {
      fields = TemplateFields(name: try TemplateName(config["name"]?.plain ?? ""))
    } catch { throw RowFault("name", error.message) }
    let examples = (config["example"]?.sequence ?? []).map { $0.plain ?? "" }
    for (index, text) in (config["text"]?.sequence ?? []).prefix(Recipe.maximumCaptions)
      .enumerated()
    {
      let example = examples.indices.contains(index) ? examples[index] : ""
      if let box = Self.box(text, example, size, faces) { fields.boxes.append(box) }
    }
    for overlay in (config["overlay"]?.sequence ?? []).prefix(BoxedPicture.maximumCount) {
      if let place = Self.place(overlay, size) { fields.pictures.append(place) }
    }
    // Templates without a place have this one, so it need not be stored.
    if fields.pictures == LinkGround.standardPlaces(on: size) { fields.pictures = [] }
    for keyword in config["keywords"]?.sequence ?? [] {
      guard let words = keyword.plain?.split(whereSeparator: \.isWhitespace),
        let tag = try? Tag(words.joined(separator: "-")), !fields.tags.contains(tag),
        fields.tags.count < Tag.maximumCount
      else { continue }
      fields.tags.append(tag)
    }
    if let alias = try? TemplateAlias(folder) { fields.aliases = [alias] }
    fields.source = config["source"]?.string.flatMap { try? TemplateSource($0) }
    return fields
  }

  private static func box(
    _ text: YAML, _ example: String, _ size: PixelSize, _ faces: [FontFace]
  ) -> TemplateBox? {
    let angle = text.number("angle", 0, in: -180...180)
    let scale = shorterEdge / Double(max(1, min(size.width, size.height)))
    func pixels(_ length: Double) -> Double { length.rounded(.towardZero) }
    let (width, height) = (pixels(Double(size.width) * scale), pixels(Double(size.height) * scale))
    let boxWidth = pixels(text.number("scale_x", 1, in: 0.01...1) * width)
    let boxHeight = pixels(text.number("scale_y", 0.2, in: 0.01...1) * height)
    // The anchor is the upper left corner of the rectangle around the rotated box.
    let (sine, cosine) = (abs(sin(angle * .pi / 180)), abs(cos(angle * .pi / 180)))
    let left =
      pixels(text.number("anchor_x", 0, in: -1...1) * width)
      + (boxWidth * cosine + boxHeight * sine) / 2
      - boxWidth / 2
    let upper =
      pixels(text.number("anchor_y", 0, in: -1...1) * height)
      + (boxWidth * sine + boxHeight * cosine)
      / 2
      - boxHeight / 2
    guard
      let place = CaptionBox.Place(
        movingIntoPicture: left / width, upper / height, boxWidth / width, boxHeight / height)
    else { return nil }
    let words = (try? CaptionText(example: example)) ?? .empty
    return TemplateBox(
      name: nil,
      CaptionBox(
        text: words, place: place, rotation: 0 - angle, verticalAlign: .middle,
        style: style(text, faces)))
  }

  /// The place of a picture: a square around a point.
  private static func place(_ overlay: YAML, _ size: PixelSize) -> PictureBox? {
    PictureBox(
      squareAround: overlay.number("center_x", 0.5, in: 0...1),
      overlay.number("center_y", 0.5, in: 0...1),
      scale: overlay.number("scale", 0.25, in: 0.01...1),
      rotation: 0 - overlay.number("angle", 0, in: -180...180), on: size)
  }

  private static func style(_ text: YAML, _ faces: [FontFace]) -> StyleChoices {
    var style = StyleChoices()
    let letterCase = text["style"]?.string ?? "upper"
    style.letterCase = letterCase == "upper" ? .upper : .typed
    if text["font"]?.string == "comic" { style.font = try? FontID("comic", among: faces) }
    style.align = text["align"]?.string.flatMap(CaptionStyle.Alignment.init(rawValue:))
    style.fill = text["color"]?.string.flatMap(color)
    // Dark letters have a thin, light outline there.
    if style.fill == Color(red: 0, green: 0, blue: 0) { style.outlineWidth = 0 }
    return style
  }

  private static func color(_ text: String) -> Color? {
    // Colors are opaque here.
    let isTranslucent = text.first == "#" && text.count == 9
    return try? Color.typed(isTranslucent ? String(text.prefix(7)) : text)
  }
}

extension YAML {
  fileprivate func number(
    _ name: String, _ standard: Double, in range: ClosedRange<Double>
  ) -> Double {
    let number = self[name]?.double ?? standard
    return number.isFinite ? min(max(number, range.lowerBound), range.upperBound) : standard
  }

  /// The text of a scalar: a name may look like a number.
  fileprivate var plain: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .bool(let value): "\(value)"
    case .null, .sequence, .mapping: nil
    }
  }
}
