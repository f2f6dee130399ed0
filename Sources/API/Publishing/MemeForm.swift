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
        "upload": .text(maximumBytes: 64),
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
      ], spool: spool)
    // Beside the picture there is room for every text at its largest, and for the parts' headers.
    return .form(rule, maximumBytes: maxUploadBytes + (256 << 10))
  }

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
    let picture = fields.pictureSource()
    var draft = MemeDraft(
      id: fields.text("id") { text throws(InvalidValue) in try uuid(MemeID(text)) },
      picture: picture ?? .image(Bytes()),
      top: fields.text("top", CaptionText.init(_:)) ?? .empty,
      bottom: fields.text("bottom", CaptionText.init(_:)) ?? .empty,
      style: style(from: &fields, faces: faces),
      altText: fields.text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 },
      maxEdge: fields.number("maxEdge", MaxEdge.init(pixels:)),
      format: fields.word("format", among: formats))
    draft.acceptableFormats = formats
    try fields.finish()
    return draft
  }

  private static func style(from fields: inout FieldReader, faces: [FontFace]) -> CaptionStyle {
    var style = CaptionStyle()
    style.font =
      fields.text("font") { text throws(InvalidValue) in try FontID(text, among: faces) }
      ?? style.font
    style.fill = fields.text("fill", Colour.init) ?? style.fill
    style.outline = fields.text("outline", Colour.init) ?? style.outline
    style.outlineWidth =
      fields.fraction("outlineWidth", in: CaptionStyle.outlineWidths) ?? style.outlineWidth
    style.size = fields.fraction("size", in: CaptionStyle.sizes) ?? style.size
    style.letterCase = fields.word("case", CaptionStyle.LetterCase.self) ?? style.letterCase
    style.align = fields.word("align", CaptionStyle.Alignment.self) ?? style.align
    return style
  }
}

extension FieldReader {
  /// The fields that a picture can come by.
  private static let pictureFields = ["image", "upload"]

  /// Reads where the picture comes from: exactly one of the fields must be there.
  fileprivate mutating func pictureSource() -> PictureSource? {
    let sent = Self.pictureFields.filter(has)
    guard sent.count < 2 else {
      let fields = Self.pictureFields.joined(separator: ", ")
      for name in sent {
        reject(name, code: "not-alone", "Only one of these may be sent: \(fields).")
      }
      return nil
    }
    guard sent == ["upload"] else { return file("image").map(PictureSource.image) }
    return text("upload") { text throws(InvalidValue) in .upload(try uuid(UploadID(text))) }
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
