import Bytes
import HTTP
import JSON
import Memes

/// The form of `POST /memes` and `POST /memes/preview`.
enum MemeForm {
  /// What the fields may be, beside those of an edit.
  ///
  /// - Parameters:
  ///   - maxUploadBytes: of the picture's file.
  ///   - spool: where files wait while they arrive.
  static func body(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    var fields = fields(maxUploadBytes: maxUploadBytes)
    fields["id"] = .text(maximumBytes: 64)
    return .form(
      FormRule(fields: fields, spool: spool), maximumBytes: maxUploadBytes + textBytes)
  }

  /// Of the fields of an edit.
  static let names = Set(fields(maxUploadBytes: 0).keys)

  /// What the fields of an edit may be.
  static func edit(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    .formOrJSON(
      FormRule(fields: fields(maxUploadBytes: maxUploadBytes), spool: spool),
      maximumBytes: maxUploadBytes + textBytes, maximumJSONBytes: textBytes)
  }

  private static func fields(maxUploadBytes: Int) -> [String: FormRule.Field] {
    let word = FormRule.Field.text(maximumBytes: 64)
    return [
      "image": .file(maximumBytes: maxUploadBytes), "upload": word, "template": word,
      "remix": word,
      "top": .text(maximumBytes: CaptionText.maximumBytes),
      "bottom": .text(maximumBytes: CaptionText.maximumBytes),
      "altText": .text(maximumBytes: AltText.maximumBytes), "maxEdge": word, "format": word,
      "fill": word, "outline": word, "font": .text(maximumBytes: 256), "outlineWidth": word,
      "size": word, "case": word, "align": word, "layout": word,
      "captions": .text(maximumBytes: captionsBytes), "crop": .text(maximumBytes: 128),
      "visibility": word,
    ]
  }

  /// Of the field `captions`: all boxes with texts at their largest, and room for escapes and spaces.
  private static let captionsBytes = 256 << 10
  /// Beside the picture there is room for every text at its largest, and for the parts' headers.
  private static let textBytes = captionsBytes + (256 << 10)

  /// The fields that were sent, in a form or as JSON.
  ///
  /// - Parameter emptyIsNull: whether an empty field of a form is what `null` is in JSON, but for texts that may be empty.
  /// - Throws: 400 where a body of JSON is not an object; 413 where the picture has too many bytes.
  static func fields(
    of body: RequestBody, emptyIsNull: Bool = false
  ) throws(Problem) -> FieldReader {
    switch body {
    case .none, .made: throw Problem(.malformedRequest)
    case .bytes(let bytes):
      return try FieldReader(body: bytes, known: names)
    case .form(let form):
      return try FieldReader(form, emptyIsNull: emptyIsNull ? { !mayBeEmpty.contains($0) } : nil)
    }
  }

  private static let mayBeEmpty: Set<String> = ["image", "top", "bottom"]

  /// Reads what is to be made of the fields that were sent.
  ///
  /// - Parameters:
  ///   - settings: of whoever sent them, for what was not.
  ///   - viewer: whose it will be where that is a person.
  ///   - faces: those that captions can be drawn in.
  ///   - formats: those that this machine can write.
  /// - Throws: 422 with every field that is invalid.
  static func draft(
    from fields: FieldReader, over settings: PersonalSettings, by viewer: Viewer, faces: [FontFace],
    formats: [OutputFormat]
  ) throws(Problem) -> MemeDraft {
    var fields = fields
    let picture = fields.pictureSource(isRequired: true)
    let draft = draft(
      of: picture ?? .image(Bytes()), reading: &fields, over: settings,
      hasAuthor: viewer.person != nil, faces: faces, formats: formats)
    try fields.finish()
    return draft
  }

  /// Reads what is to be made of a picture: all fields but those that it can come by.
  ///
  /// - Parameter hasAuthor: whether it will be somebody's.
  static func draft(
    of picture: PictureSource, reading fields: inout FieldReader, over settings: PersonalSettings,
    hasAuthor: Bool, faces: [FontFace], formats: [OutputFormat]
  ) -> MemeDraft {
    var base = settings.captions.recipe
    // In boxes there are no bars, and who sends boxes did not ask for bars by this request.
    if fields.has("captions") { base.layout = .overlay }
    var draft = MemeDraft(
      id: fields.text("id") { text throws(InvalidValue) in try uuid(MemeID(text)) },
      picture: picture,
      recipe: fields.recipe(over: base, faces: faces),
      altText: fields.text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 },
      format: fields.word("format", among: formats))
    draft.acceptableFormats = formats
    draft.visibility = fields.visibility(hasAuthor: hasAuthor) ?? settings.visibility
    if hasAuthor {
      draft.leftToSettings = SettingField.allCases.filter { !fields.has($0.rawValue) }
    }
    return draft
  }
}

extension FieldReader {
  /// Reads who may see the meme.
  mutating func visibility(hasAuthor: Bool) -> Visibility? {
    let visibility = word("visibility", Visibility.self)
    if let visibility, visibility != .public, !hasAuthor {
      reject("visibility", code: InvalidValue.needsAuthor.code, InvalidValue.needsAuthor.message)
    }
    return visibility
  }

  /// The fields that a picture can come by.
  private static let pictureFields = ["image", "template", "remix", "upload"]

  /// Reads where the picture comes from: by one of the fields.
  ///
  /// - Returns: `nil` where none was sent, or it cannot be taken.
  mutating func pictureSource(isRequired: Bool = false) -> PictureSource? {
    let sent = Self.pictureFields.filter(has)
    guard sent.count < 2 else {
      let fields = Self.pictureFields.joined(separator: ", ")
      for name in sent {
        reject(name, code: "not-together", "Only one of these may be sent: \(fields).")
      }
      return nil
    }
    switch sent.first {
    case "image": return file("image").map(PictureSource.image)
    case "upload":
      return text("upload") { text throws(InvalidValue) in .upload(try uuid(UploadID(text))) }
    case "template":
      return text("template") { text throws(InvalidValue) in .template(try uuid(TemplateID(text))) }
    case "remix":
      return text("remix") { text throws(InvalidValue) in .remix(try uuid(MemeID(text))) }
    default: return isRequired ? file("image").map(PictureSource.image) : nil
    }
  }
}

/// - Throws: what a client is told whose text is no id.
private func uuid<ID>(_ id: ID?) throws(InvalidValue) -> ID {
  guard let id else {
    throw InvalidValue(
      code: "invalid-uuid", message: "A UUID is written 01234567-89ab-7def-8123-456789abcdef.")
  }
  return id
}
