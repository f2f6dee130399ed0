import Bytes
import HTTP
import JSON
import Memes

/// The form of `POST /memes` and `POST /memes/preview`.
enum MemeForm {
  /// The body of a new meme: the fields of an edit, `id` and `texts`.
  ///
  /// - Parameters:
  ///   - maxUploadBytes: the maximum size of a picture file, in bytes.
  ///   - spool: where files are stored while they arrive.
  static func body(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    var fields = fields(maxUploadBytes: maxUploadBytes)
    fields["id"] = .text(maximumBytes: 64)
    fields["texts"] = .text(maximumBytes: captionsBytes)
    return .form(
      FormRule(fields: fields, spool: spool), maximumBytes: maxUploadBytes + textBytes)
  }

  /// The field names of an edit.
  static let names = Set(fields(maxUploadBytes: 0).keys)

  /// The body of an edit: a form or JSON.
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
      "size": word, "case": word, "align": word, "layout": word, "sameSize": word,
      "captions": .text(maximumBytes: captionsBytes),
      "pictures": .text(maximumBytes: picturesBytes), "crop": .text(maximumBytes: 128),
      "tags": .text(maximumBytes: tagsBytes), "visibility": word,
    ]
  }

  /// The maximum size of the field `captions`, in bytes: all boxes with texts of maximum length,
  /// including escapes and whitespace.
  private static let captionsBytes = 256 << 10
  /// The maximum size of the field `pictures`, in bytes: all boxes with long numbers, and some space.
  private static let picturesBytes = 8 << 10
  /// The maximum size of the field `tags`, in bytes: ten tags with four bytes for each character, and some space.
  private static let tagsBytes = 4 << 10
  /// The maximum size of everything except the picture, in bytes: all texts at maximum length, and the
  /// headers of the parts.
  private static let textBytes = captionsBytes + (256 << 10)

  /// Reads the fields of a form or JSON body.
  ///
  /// - Parameter emptyIsNull: whether an empty form field means `null`. Does not apply to texts that may be empty.
  /// - Throws: `malformedRequest` if a JSON body is not an object; `contentTooLarge` if the picture is too large.
  static func fields(
    of body: RequestBody, emptyIsNull: Bool = false
  ) throws(Problem) -> FieldDecoder {
    switch body {
    case .none, .made: throw Problem(.malformedRequest)
    case .bytes(let bytes):
      return try FieldDecoder(body: bytes, known: names)
    case .form(let form):
      return try FieldDecoder(form, emptyIsNull: emptyIsNull ? { !mayBeEmpty.contains($0) } : nil)
    }
  }

  private static let mayBeEmpty: Set<String> = ["image", "top", "bottom"]

  /// Reads a draft from the fields of a request.
  ///
  /// - Parameters:
  ///   - settings: the caller's personal settings, for omitted fields.
  ///   - viewer: the caller, who becomes the author if signed in as a user.
  ///   - faces: the font faces that captions can use.
  ///   - formats: the formats that this machine can write.
  /// - Throws: `invalidInput` with every invalid field.
  static func draft(
    from fields: FieldDecoder, over settings: PersonalSettings, by viewer: Principal,
    faces: [FontFace],
    formats: [OutputFormat]
  ) throws(Problem) -> MemeDraft {
    var fields = fields
    let picture = fields.pictureSource(isRequired: true)
    var draft = draft(
      of: picture ?? .image(Bytes()), reading: &fields, over: settings,
      hasAuthor: viewer.person != nil, faces: faces, formats: formats)
    draft.take(fields.pictures() ?? [])
    try fields.finish()
    return draft
  }

  /// Reads a draft for this picture: all fields except the pictures and their sources.
  ///
  /// - Parameter hasAuthor: whether the meme will have an author.
  static func draft(
    of picture: PictureSource, reading fields: inout FieldDecoder, over settings: PersonalSettings,
    hasAuthor: Bool, faces: [FontFace], formats: [OutputFormat]
  ) -> MemeDraft {
    var base = settings.captions.recipe
    // Boxes do not work with bars. If the request sends boxes, ignore a bar layout from the settings.
    if fields.has("captions") || fields.has("texts") { base.layout = .overlay }
    var draft = MemeDraft(
      id: fields.text("id") { text in try uuid(MemeID(text)) },
      picture: picture,
      recipe: fields.recipe(over: base, faces: faces),
      altText: fields.text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 },
      format: fields.word("format", among: formats))
    draft.tags = fields.tags() ?? []
    draft.texts = fields.captionTexts()
    draft.acceptableFormats = formats
    draft.visibility = fields.visibility(hasAuthor: hasAuthor) ?? settings.visibility
    if hasAuthor {
      draft.leftToSettings = SettingField.allCases.filter { !fields.has($0.rawValue) }
    }
    return draft
  }
}

extension FieldDecoder {
  /// Reads the visibility of the meme.
  mutating func visibility(hasAuthor: Bool) -> Visibility? {
    let visibility = word("visibility", Visibility.self)
    if let fault = visibility?.fault(hasAuthor: hasAuthor) {
      reject("visibility", code: fault.code, fault.message)
    }
    return visibility
  }

  /// Reads the texts for the boxes of a template.
  fileprivate mutating func captionTexts() -> [CaptionText]? {
    guard has("texts") else { return nil }
    for name in ["captions", "top", "bottom"] where has(name) {
      reject(
        "texts", code: "not-together", "Send either texts, or captions, or top and bottom.")
      return nil
    }
    return texts("texts") { (texts) throws(InvalidValue) in
      guard texts.count <= Recipe.maximumCaptions else {
        throw InvalidValue(
          code: "too-many", message: "Must have at most \(Recipe.maximumCaptions) elements.")
      }
      var captions: [CaptionText] = []
      for text in texts { captions.append(try CaptionText(text)) }
      return captions
    }
  }

  /// The fields that can contain or name the picture.
  static let pictureFields = ["image", "template", "remix", "upload"]

  /// Reads the source of the picture from one of these fields.
  ///
  /// - Returns: `nil` if the request has none of them, or the field is invalid. `null` names no picture.
  mutating func pictureSource(isRequired: Bool = false) -> PictureSource? {
    let sent = Self.pictureFields.filter { has($0) && !isNull($0) }
    guard sent.count < 2 else {
      let fields = Self.pictureFields.joined(separator: ", ")
      for name in sent {
        reject(name, code: "not-together", "Send only one of: \(fields).")
      }
      return nil
    }
    switch sent.first {
    case "image": return file("image").map(PictureSource.image)
    case "upload":
      return text("upload") { text in .upload(try uuid(UploadID(text))) }
    case "template":
      return text("template") { text in try PictureSource(TemplateReference(text)) }
    case "remix":
      return text("remix") { text in .remix(try uuid(MemeID(text))) }
    default: return isRequired ? file("image").map(PictureSource.image) : nil
    }
  }
}

extension PictureSource {
  /// - Throws: the validation error for a text that cannot name a template.
  fileprivate init(_ template: TemplateReference?) throws(InvalidValue) {
    switch template {
    case .id(let id): self = .template(id)
    case .alias(let alias): self = .aliasedTemplate(alias)
    case nil:
      throw InvalidValue(
        code: "invalid-alias",
        message: "Must be the ID of a template, or an alias like two-panels.")
    }
  }
}

/// - Throws: the validation error for a text that is not a UUID.
func uuid<ID>(_ id: ID?) throws -> ID {
  guard let id else {
    throw InvalidValue(
      code: "invalid-uuid", message: "Must be a UUID like 01234567-89ab-7def-8123-456789abcdef.")
  }
  return id
}
