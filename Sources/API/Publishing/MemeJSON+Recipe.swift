import HTTP
import Memes

/// Writes recipes as the contract defines them.
extension MemeJSON {
  func write(_ recipe: Recipe, _ fields: MemeFields = .all, to json: inout JSONWriter) {
    if fields.contains(.top) { json.member("top", recipe.top.text) }
    if fields.contains(.bottom) { json.member("bottom", recipe.bottom.text) }
    if fields.contains(.captions) {
      json.name("captions")
      Self.write(recipe.captions, to: &json)
    }
    if fields.contains(.pictures) {
      json.array("pictures") { json in
        for box in recipe.pictures { json.object { Self.write(box, to: &$0) } }
      }
    }
    if fields.contains(.style) {
      json.object("style") { json in
        Self.write(recipe.style, recipe.layout, sameSize: recipe.sameSize, to: &json)
      }
    }
    if fields.contains(.crop) { write(recipe.crop, to: &json) }
  }

  private func write(_ crop: Crop?, to json: inout JSONWriter) {
    guard let crop else { return json.null("crop") }
    json.object("crop") { json in
      json.member("x", crop.x)
      json.member("y", crop.y)
      json.member("width", crop.width)
      json.member("height", crop.height)
    }
  }

  static func write(
    _ style: CaptionStyle, _ layout: CaptionLayout, sameSize: Bool = false,
    to json: inout JSONWriter
  ) {
    json.member("font", style.font.text)
    json.member("fill", style.fill.description)
    json.member("outline", style.outline.description)
    json.member("outlineWidth", style.outlineWidth)
    json.member("size", style.size)
    json.member("case", style.letterCase.rawValue)
    json.member("align", style.align.rawValue)
    json.member("layout", layout.rawValue)
    json.member("sameSize", sameSize)
  }

  static func write(_ box: PictureBox, to json: inout JSONWriter) {
    write(box.place, to: &json)
    json.member("rotation", box.rotation)
    json.member("fit", box.fit.rawValue)
  }

  private static func write(_ place: CaptionBox.Place, to json: inout JSONWriter) {
    json.member("x", place.x)
    json.member("y", place.y)
    json.member("width", place.width)
    json.member("height", place.height)
  }

  static func write(_ boxes: [CaptionBox], to json: inout JSONWriter) {
    json.array { json in
      for box in boxes { json.object { write(box, to: &$0) } }
    }
  }

  static func write(_ box: CaptionBox, to json: inout JSONWriter) {
    json.member("text", box.text.text)
    write(box.place, to: &json)
    json.member("rotation", box.rotation)
    json.member("align", box.style.align?.rawValue)
    json.member("verticalAlign", box.verticalAlign.rawValue)
    json.member("font", box.style.font?.text)
    json.member("fill", box.style.fill?.description)
    json.member("outline", box.style.outline?.description)
    json.member("outlineWidth", box.style.outlineWidth)
    json.member("size", box.style.size)
    json.member("case", box.style.letterCase?.rawValue)
  }
}
