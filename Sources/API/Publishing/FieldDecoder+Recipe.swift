import JSON
import Memes

/// Reads the fields of a recipe. They are the same in every request.
extension FieldDecoder {
  /// Reads changes to a recipe. Omitted fields keep their value, and `null` resets a field to its default.
  ///
  /// - Parameter faces: the font faces that captions can use.
  mutating func recipe(over base: Recipe, faces: [FontFace]) -> Recipe {
    let recipe = base.applying(recipePatch(faces: faces))
    if let fault = recipe.captionsFault { reject("captions", code: fault.code, fault.message) }
    return recipe
  }

  /// Reads changes to a recipe that is not known yet.
  ///
  /// - Parameter faces: the font faces that captions can use.
  mutating func recipePatch(faces: [FontFace]) -> RecipePatch {
    var patch = RecipePatch()
    patch.layout = change("layout", word("layout", CaptionLayout.self))
    patch.sameSize = change("sameSize", truthOrFlag("sameSize"))
    patch.style = stylePatch(faces: faces)
    patch.crop = change("crop", crop())
    patch.maxEdge = change("maxEdge", number("maxEdge", MaxEdge.init(pixels:)))
    patch.top = change("top", text("top", CaptionText.init(_:)))
    patch.bottom = change("bottom", text("bottom", CaptionText.init(_:)))
    patch.captions = change("captions", captionBoxes(faces: faces))
    if patch.setsBoxes, patch.setsEdges {
      reject(
        "captions", code: "not-together", "Send either captions, or top and bottom, but not both.")
    }
    return patch
  }

  private mutating func captionBoxes(faces: [FontFace]) -> [CaptionBox]? {
    objects("captions", most: Recipe.maximumCaptions, known: Self.captionMembers) { fields in
      fields.captionBox(faces: faces)
    }
  }

  static let captionMembers: Set<String> = [
    "text", "x", "y", "width", "height", "rotation", "align", "verticalAlign", "font", "fill",
    "outline", "outlineWidth", "size", "case",
  ]

  /// Reads the members of a caption.
  ///
  /// - Parameter read: reads the text.
  /// - Returns: `nil` if the box is invalid.
  mutating func captionBox(
    faces: [FontFace], _ read: (String) throws -> CaptionText = CaptionText.init(_:)
  ) -> CaptionBox? {
    require(["text", "x", "y", "width", "height"])
    let text = text("text", read)
    let place = place()
    let rotation = fraction("rotation", in: CaptionBox.rotations) ?? 0
    let verticalAlign = word("verticalAlign", CaptionBox.VerticalAlign.self) ?? .middle
    let style = styleChoices(faces: faces)
    guard let text, let place else { return nil }
    return CaptionBox(
      text: text, place: place, rotation: rotation, verticalAlign: verticalAlign, style: style)
  }

  /// Reads the members of a box.
  mutating func place() -> CaptionBox.Place? {
    let x = fraction("x", in: CaptionBox.Place.starts)
    let y = fraction("y", in: CaptionBox.Place.starts)
    let width = fraction("width", in: CaptionBox.Place.lengths)
    let height = fraction("height", in: CaptionBox.Place.lengths)
    for (name, start, length) in [("width", x, width), ("height", y, height)] {
      guard let start, let length, !CaptionBox.Place.fits(start, length) else { continue }
      reject(name, code: "out-of-range", "The box must be inside the picture.")
    }
    guard let x, let y, let width, let height else { return nil }
    return CaptionBox.Place(x: x, y: y, width: width, height: height)
  }

  /// Reads changes to the chosen parts of a style.
  ///
  /// - Parameter faces: the font faces that captions can use.
  mutating func choices(over base: StyleChoices, faces: [FontFace]) -> StyleChoices {
    base.applying(stylePatch(faces: faces))
  }

  private mutating func stylePatch(faces: [FontFace]) -> StylePatch {
    let sent = styleChoices(faces: faces)
    var patch = StylePatch()
    patch.font = change("font", sent.font)
    patch.fill = change("fill", sent.fill)
    patch.outline = change("outline", sent.outline)
    patch.outlineWidth = change("outlineWidth", sent.outlineWidth)
    patch.size = change("size", sent.size)
    patch.letterCase = change("case", sent.letterCase)
    patch.align = change("align", sent.align)
    return patch
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
