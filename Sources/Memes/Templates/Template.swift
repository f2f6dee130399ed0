package import Foundation

/// Names one template: a UUIDv7, written in lower case.
package struct TemplateID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A picture that is kept for everybody to make memes of.
package struct Template: Sendable, Equatable {
  package let id: TemplateID
  package let name: TemplateName
  package let altText: AltText
  package let createdAt: Timestamp
  package let picture: PictureFacts
  /// Of a smaller picture, which does not move.
  package let thumbnail: PictureFacts

  package init(
    id: TemplateID, name: TemplateName, altText: AltText, createdAt: Timestamp,
    picture: PictureFacts, thumbnail: PictureFacts
  ) {
    (self.id, self.name, self.altText, self.createdAt) = (id, name, altText, createdAt)
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }

  /// Of its files.
  package var byteCount: Int { picture.byteCount + thumbnail.byteCount }
}

/// The files that are kept of every template.
package enum TemplateRole: CaseIterable, Sendable {
  case picture, thumbnail
}
