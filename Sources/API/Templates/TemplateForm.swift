import Bytes
import HTTP
import Memes

/// The form of `POST /templates`.
struct TemplateForm {
  let picture: Bytes
  let name: TemplateName
  /// `nil` if it is the same as the name.
  let altText: AltText?

  /// The body of the request.
  ///
  /// - Parameters:
  ///   - maxUploadBytes: the maximum size of a picture file, in bytes.
  ///   - spool: where files are stored while they arrive.
  static func body(maxUploadBytes: Int, spool: SpoolPlace) -> Route.Body {
    let fields: [String: FormRule.Field] = [
      "image": .file(maximumBytes: maxUploadBytes),
      "name": .text(maximumBytes: TemplateName.maximumBytes),
      "altText": .text(maximumBytes: AltText.maximumBytes),
    ]
    // In addition to the picture, allow both texts at maximum length, and the headers of the parts.
    return .form(
      FormRule(fields: fields, spool: spool), maximumBytes: maxUploadBytes + (64 << 10))
  }

  /// Reads the fields of the form.
  ///
  /// - Throws: `contentTooLarge` if the picture is too large; `invalidInput` with every invalid field.
  init(_ body: RequestBody) throws(Problem) {
    guard case .form(let form) = body else { throw Problem(.malformedRequest) }
    var fields = try FieldDecoder(form)
    let picture = fields.file("image")
    fields.require(["name"])
    let name = fields.text("name", TemplateName.init(_:))
    altText = fields.text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 }
    try fields.finish()
    guard let picture, let name else {
      throw Problem(.internalError, cause: "a missing field was not rejected")
    }
    (self.picture, self.name) = (picture, name)
  }
}
