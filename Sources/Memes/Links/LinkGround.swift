package import Bytes

/// What a linked meme is drawn on.
package struct LinkGround: Sendable {
  package enum Origin: Hashable, Sendable {
    case template(TemplateID, version: Int)
    /// A picture of another server.
    case picture(Digest)
  }

  package let origin: Origin
  package let facts: PictureFacts
  package let source: PictureSource
  package let fields: TemplateFields

  package init(_ template: Template) {
    origin = .template(template.id, version: template.version)
    (facts, fields, source) = (template.picture, template.fields, .template(template.id))
  }

  /// - Parameter facts: those of the file.
  package init(_ file: Bytes, _ facts: PictureFacts) {
    (origin, source) = (.picture(facts.digest), .image(file))
    (self.facts, fields) = (facts, TemplateFields(name: TemplateName(stored: "")))
  }

  /// The places for pictures: those of the template, or one in the middle, as in memegen.
  package var places: [PictureBox] {
    fields.pictures.isEmpty ? Self.standardPlaces(on: facts.size) : fields.pictures
  }

  /// The place for a picture on a template that has none.
  package static func standardPlaces(on size: PixelSize) -> [PictureBox] {
    PictureBox(squareAround: 0.5, 0.5, scale: 0.25, on: size).map { [$0] } ?? []
  }

  /// The ID of the template; `nil` for another picture.
  package var template: TemplateID? { if case .template(let id, _) = origin { id } else { nil } }
}
