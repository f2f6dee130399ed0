import JSON
import Memes

/// Reads the fields of a recipe. They are the same in every request.
extension FieldDecoder {
  /// Reads changes to a recipe. Omitted fields keep their value, and `null` resets a field to its default.
  ///
  /// - Parameter faces: the font faces that captions can use.
  mutating func recipe(over base: Recipe, faces: [FontFace]) -> Recipe {
    var recipe = base
    recipe.layout = settled(
      "layout", word("layout", CaptionLayout.self), over: base.layout, standard: .overlay)
    recipe.choices = choices(over: base.choices, faces: faces)
    recipe.crop = crop() ?? kept("crop", base.crop)
    recipe.maxEdge =
      number("maxEdge", MaxEdge.init(pixels:)) ?? kept("maxEdge", base.maxEdge)
    readCaptions(into: &recipe, faces: faces)
    return recipe
  }

  /// Reads captions at the edges or in boxes. Sending one kind removes the other.
  private mutating func readCaptions(into recipe: inout Recipe, faces: [FontFace]) {
    let top = text("top", CaptionText.init(_:))
    let bottom = text("bottom", CaptionText.init(_:))
    let boxes = captionBoxes(faces: faces)
    recipe.top = settled("top", top, over: recipe.top, standard: .empty)
    recipe.bottom = settled("bottom", bottom, over: recipe.bottom, standard: .empty)
    recipe.captions = settled("captions", boxes, over: recipe.captions, standard: [])
    let sendsEdges = [top, bottom].contains { $0.map { !$0.text.isEmpty } ?? false }
    if let boxes, !boxes.isEmpty {
      if sendsEdges {
        reject("captions", code: "not-together", "Send either captions, or top and bottom.")
      }
      (recipe.top, recipe.bottom) = (.empty, .empty)
    } else if sendsEdges {
      recipe.captions = []
    }
    if recipe.layout == .bar, !recipe.captions.isEmpty {
      reject("captions", code: "not-together", "With layout=bar there are only top and bottom.")
    }
  }

  private mutating func captionBoxes(faces: [FontFace]) -> [CaptionBox]? {
    objects("captions", most: Recipe.maximumCaptions, known: Self.captionMembers) { fields in
      fields.captionBox(faces: faces)
    }
  }

  private static let captionMembers: Set<String> = [
    "text", "x", "y", "width", "height", "rotation", "align", "verticalAlign", "font", "fill",
    "outline", "outlineWidth", "size", "case",
  ]

  /// - Returns: `nil` if the box is invalid.
  private mutating func captionBox(faces: [FontFace]) -> CaptionBox? {
    require(["text", "x", "y", "width", "height"])
    let text = text("text", CaptionText.init(_:))
    let place = place()
    let rotation = fraction("rotation", in: CaptionBox.rotations) ?? 0
    let verticalAlign = word("verticalAlign", CaptionBox.VerticalAlign.self) ?? .middle
    let style = styleChoices(faces: faces)
    guard let text, let place else { return nil }
    return CaptionBox(
      text: text, place: place, rotation: rotation, verticalAlign: verticalAlign, style: style)
  }

  private mutating func place() -> CaptionBox.Place? {
    let x = fraction("x", in: CaptionBox.Place.starts)
    let y = fraction("y", in: CaptionBox.Place.starts)
    let width = fraction("width", in: CaptionBox.Place.lengths)
    let height = fraction("height", in: CaptionBox.Place.lengths)
    for (name, start, length) in [("width", x, width), ("height", y, height)] {
      guard let start, let length, !CaptionBox.Place.fits(start, length) else { continue }
      reject(name, code: "out-of-range", "The box reaches out of the picture.")
    }
    guard let x, let y, let width, let height else { return nil }
    return CaptionBox.Place(x: x, y: y, width: width, height: height)
  }

  mutating func choices(over base: StyleChoices, faces: [FontFace]) -> StyleChoices {
    let sent = styleChoices(faces: faces)
    var choices = StyleChoices()
    choices.font = sent.font ?? kept("font", base.font)
    choices.fill = sent.fill ?? kept("fill", base.fill)
    choices.outline = sent.outline ?? kept("outline", base.outline)
    choices.outlineWidth = sent.outlineWidth ?? kept("outlineWidth", base.outlineWidth)
    choices.size = sent.size ?? kept("size", base.size)
    choices.letterCase = sent.letterCase ?? kept("case", base.letterCase)
    choices.align = sent.align ?? kept("align", base.align)
    return choices
  }

  private mutating func styleChoices(faces: [FontFace]) -> StyleChoices {
    var choices = StyleChoices()
    choices.font = text("font") { text in try FontID(text, among: faces) }
    choices.fill = text("fill", Color.init)
    choices.outline = text("outline", Color.init)
    choices.outlineWidth = fraction("outlineWidth", in: CaptionStyle.outlineWidths)
    choices.size = fraction("size", in: CaptionStyle.sizes)
    choices.letterCase = word("case", CaptionStyle.LetterCase.self)
    choices.align = word("align", CaptionStyle.Alignment.self)
    return choices
  }

  /// Reads the crop. It is text in forms. In JSON it may also be an object, as in the JSON of a meme.
  private mutating func crop() -> Crop? {
    guard case .object(let sides) = sentJSON("crop") else { return text("crop", Crop.init(_:)) }
    let names = ["x", "y", "width", "height"]
    var fields = FieldDecoder(sides, known: Set(names), path: "\(path)crop.")
    fields.require(names)
    let (x, y) = (fields.number("x") { $0 }, fields.number("y") { $0 })
    let (width, height) = (fields.number("width") { $0 }, fields.number("height") { $0 })
    reject(fields)
    guard let x, let y, let width, let height else { return nil }
    do throws(InvalidValue) {
      return try Crop(x: x, y: y, width: width, height: height)
    } catch {
      reject("crop", code: error.code, error.message)
      return nil
    }
  }

  /// The base value, or `nil` if the field is `null`.
  func kept<Value>(_ name: String, _ base: Value?) -> Value? {
    isNull(name) ? nil : base
  }

  /// The sent value, or else the base value; `standard` if the field is `null`.
  func settled<Value>(
    _ name: String, _ sent: Value?, over base: Value, standard: Value
  ) -> Value { sent ?? (isNull(name) ? standard : base) }
}
