import Bytes
import HTTP
import Memes

/// The form of `POST /memes` and `POST /memes/preview`.
enum MemeForm {
  /// What the fields may be.
  ///
  /// - Parameters:
  ///   - maxUploadBytes: of the picture's file.
  ///   - spool: where files wait while they arrive.
  static func body(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    let rule = FormRule(
      fields: [
        "image": .file(maximumBytes: maxUploadBytes),
        "top": .text(maximumBytes: CaptionText.maximumBytes),
        "bottom": .text(maximumBytes: CaptionText.maximumBytes),
        "altText": .text(maximumBytes: AltText.maximumBytes),
        "id": .text(maximumBytes: 64),
        "maxEdge": .text(maximumBytes: 64),
        "format": .text(maximumBytes: 64),
        "fill": .text(maximumBytes: 64),
        "outline": .text(maximumBytes: 64),
        "font": .text(maximumBytes: 256),
        "outlineWidth": .text(maximumBytes: 64),
        "size": .text(maximumBytes: 64),
        "case": .text(maximumBytes: 64),
        "align": .text(maximumBytes: 64),
        "layout": .text(maximumBytes: 64),
        "captions": .text(maximumBytes: captionsBytes),
        "crop": .text(maximumBytes: 128),
      ], spool: spool)
    // Beside the picture there is room for every text at its largest, and for the parts' headers.
    return .form(rule, maximumBytes: maxUploadBytes + captionsBytes + (256 << 10))
  }

  /// Of the field `captions`: all boxes with texts at their largest, and room for escapes and spaces.
  private static let captionsBytes = 256 << 10

  /// Reads what was sent.
  ///
  /// - Parameters:
  ///   - faces: those that captions can be drawn in.
  ///   - formats: those that this machine can write.
  /// - Throws: 413 where the picture has too many bytes; 422 with every field that is invalid.
  static func draft(
    from body: RequestBody, faces: [FontFace], formats: [OutputFormat]
  ) throws(Problem) -> MemeDraft {
    guard case .form(let form) = body else { throw Problem(.malformedRequest) }
    var fields = FieldReader(
      form.parts.compactMap { part in
        switch part.content {
        case .bytes(let bytes): (part.name, .bytes(bytes))
        case .tooLarge: (part.name, .tooLarge)
        case .unknown: nil
        }
      })
    for part in form.parts {
      switch (part.content, part.name) {
      case (.unknown, let name):
        fields.rejectUnknown(name)
      case (.tooLarge, "image"):
        throw Problem(.contentTooLarge, "The picture has more bytes than the server takes.")
      default: break
      }
    }
    let picture = fields.file("image")
    var draft = MemeDraft(
      id: fields.text("id", id), picture: picture ?? Bytes(),
      recipe: fields.recipe(over: Recipe(), faces: faces),
      altText: fields.text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 },
      format: fields.word("format", among: formats))
    draft.acceptableFormats = formats
    try fields.finish()
    return draft
  }

  private static func id(_ text: String) throws(InvalidValue) -> MemeID {
    guard let id = MemeID(text) else {
      throw InvalidValue(
        code: "invalid-uuid",
        message: "A UUID is written 01234567-89ab-7def-8123-456789abcdef.")
    }
    return id
  }
}
