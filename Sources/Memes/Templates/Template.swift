package import Foundation

/// The ID of a template: a UUIDv7 in lowercase.
package struct TemplateID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A picture from which everyone can make memes.
package struct Template: Sendable, Equatable {
  package let id: TemplateID
  package let name: TemplateName
  package let altText: AltText
  package let createdAt: Timestamp
  package let picture: PictureFacts
  /// A smaller picture without animation.
  package let thumbnail: PictureFacts

  package init(
    id: TemplateID, name: TemplateName, altText: AltText, createdAt: Timestamp,
    picture: PictureFacts, thumbnail: PictureFacts
  ) {
    (self.id, self.name, self.altText, self.createdAt) = (id, name, altText, createdAt)
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }

  /// The total size of the files.
  package var byteCount: Int { picture.byteCount + thumbnail.byteCount }
}

/// The stored files of a template.
package enum TemplateRole: CaseIterable, Sendable {
  case picture, thumbnail
}
