import Bytes
import HTTP
import Memes

/// The form of `POST /templates`.
struct TemplateForm {
  let picture: Bytes
  let name: TemplateName
  /// `nil`: the name.
  let altText: AltText?

  /// What the fields may be.
  ///
  /// - Parameters:
  ///   - maxUploadBytes: of the picture's file.
  ///   - spool: where files wait while they arrive.
  static func body(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    let fields: [String: FormRule.Field] = [
      "image": .file(maximumBytes: maxUploadBytes),
      "name": .text(maximumBytes: TemplateName.maximumBytes),
      "altText": .text(maximumBytes: AltText.maximumBytes),
    ]
    // Beside the picture there is room for both texts at their largest, and for the parts' headers.
    return .form(
      FormRule(fields: fields, spool: spool), maximumBytes: maxUploadBytes + (64 << 10))
  }

  /// Reads what was sent.
  ///
  /// - Throws: 413 where the picture has too many bytes; 422 with every field that is invalid.
  init(_ body: RequestBody) throws(Problem) {
    guard case .form(let form) = body else { throw Problem(.malformedRequest) }
    var fields = try FieldReader(form)
    let picture = fields.file("image")
    fields.require(["name"])
    let name = fields.text("name", TemplateName.init(_:))
    altText = fields.text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 }
    try fields.finish()
    guard let picture, let name else {
      throw Problem(.internalError, cause: "a field that is missing was not refused")
    }
    (self.picture, self.name) = (picture, name)
  }
}
