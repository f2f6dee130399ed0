import Bytes
import HTTP
import JSON
import Memes

/// The fields of templates.
enum TemplateForm {
  /// The form of `POST /templates`.
  ///
  /// - Parameters:
  ///   - maxUploadBytes: the maximum size of a picture file, in bytes.
  ///   - spool: where files are stored while they arrive.
  static func body(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    let word = FormRule.Field.text(maximumBytes: 64)
    let fields: [String: FormRule.Field] = [
      "image": .file(maximumBytes: maxUploadBytes), "upload": word, "template": word, "remix": word,
      "name": .text(maximumBytes: TemplateName.maximumBytes),
      "altText": .text(maximumBytes: AltText.maximumBytes),
      "boxes": .text(maximumBytes: boxesBytes), "pictures": .text(maximumBytes: 8 << 10),
      "tags": .text(maximumBytes: 4 << 10),
      "aliases": .text(maximumBytes: 4 << 10),
      "source": .text(maximumBytes: TemplateSource.maximumBytes),
    ]
    return .form(
      FormRule(fields: fields, spool: spool), maximumBytes: maxUploadBytes + maximumBytes)
  }

  /// The members of an edit.
  static let members: Set<String> = [
    "name", "altText", "boxes", "pictures", "tags", "aliases", "source",
  ]

  /// The maximum size of the field `boxes`, in bytes.
  private static let boxesBytes = 128 << 10
  /// The maximum size of all fields except the picture, in bytes.
  static let maximumBytes = boxesBytes + (64 << 10)

  /// Reads the form of a new template.
  ///
  /// - Returns: the fields, and the places that the request leaves to the source of the picture.
  /// - Throws: `contentTooLarge` if the picture is too large; `invalidInput` with every invalid field.
  static func read(
    _ body: RequestBody, faces: [FontFace]
  ) throws(Problem) -> (picture: PictureSource, fields: TemplateFields, copied: CopiedPlaces) {
    guard case .form(let form) = body else { throw Problem(.malformedRequest) }
    var fields = try FieldDecoder(form)
    let picture = fields.pictureSource(isRequired: true)
    fields.require(["name"])
    let base = TemplateFields(name: TemplateName(stored: ""))
    let template = fields.template(over: base, faces: faces)
    try fields.finish()
    guard let picture else {
      throw Problem(.internalError, cause: "a missing field was not rejected")
    }
    var copied: CopiedPlaces = []
    if !fields.has("boxes") { copied.insert(.boxes) }
    if !fields.has("pictures") { copied.insert(.pictures) }
    return (picture, template, copied)
  }
}

extension FieldDecoder {
  /// Reads the fields of a template. Omitted fields keep their value, and `null` resets a field to its default.
  ///
  /// - Parameter faces: the font faces that boxes can use.
  mutating func template(over base: TemplateFields, faces: [FontFace]) -> TemplateFields {
    var template = base
    if isNull("name") { reject("name", code: "missing", "This field is required.") }
    if let name = text("name", TemplateName.init(_:)) { template.name = name }
    let altText = text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 }
    let followsName = base.altText.text == base.name.text && !has("altText")
    if altText != nil || has("altText") || followsName {
      template.altText = altText ?? AltText(stored: template.name.text)
    }
    template.boxes = settled("boxes", boxes(faces: faces), over: base.boxes, standard: [])
    template.pictures = settled("pictures", picturePlaces(), over: base.pictures, standard: [])
    template.tags = settled("tags", tags(), over: base.tags, standard: [])
    template.aliases = settled("aliases", aliases(), over: base.aliases, standard: [])
    let source = text("source", TemplateSource.init(_:))
    template.source = source ?? kept("source", base.source)
    return template
  }

  private mutating func aliases() -> [TemplateAlias]? {
    words("aliases") { (texts) throws(InvalidValue) in try [TemplateAlias](reading: texts) }
  }

  private mutating func boxes(faces: [FontFace]) -> [TemplateBox]? {
    objects(
      "boxes", most: Recipe.maximumCaptions, known: Self.captionMembers.union(["name"])
    ) { fields in
      let name = fields.text("name", TemplateName.init(_:))
      let box = fields.captionBox(faces: faces) { text in try CaptionText(example: text) }
      return box.map { TemplateBox(name: name, $0) }
    }
  }
}
