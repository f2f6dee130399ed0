package import Foundation

/// The ID of a template: a UUIDv7 in lowercase.
package struct TemplateID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A picture from which everyone can make memes.
package struct Template: Sendable, Equatable {
  package let id: TemplateID
  package var fields: TemplateFields
  /// Increases with each change of the fields.
  package var version: Int
  package let createdAt: Timestamp
  package let picture: PictureFacts
  /// A smaller picture without animation.
  package let thumbnail: PictureFacts

  package init(
    id: TemplateID, _ fields: TemplateFields, version: Int = 1, createdAt: Timestamp,
    picture: PictureFacts, thumbnail: PictureFacts
  ) {
    (self.id, self.fields, self.version, self.createdAt) = (id, fields, version, createdAt)
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }

  /// The total size of the files.
  package var byteCount: Int { picture.byteCount + thumbnail.byteCount }
}

/// The stored files of a template.
package enum TemplateRole: CaseIterable, Sendable {
  case picture, thumbnail
}

/// A query for a list of templates.
package struct TemplateListing: Sendable {
  /// The order of the list. The raw value is the name in the API.
  package enum Order: String, CaseIterable, Sendable {
    case newest
    /// By the number of memes that were made from a template.
    case popular
  }

  package var query: TemplateQuery?
  package var tag: Tag?
  package var order = Order.newest
  /// The end of the previous page; `nil` for the first page.
  package var position: ListPosition?
  /// The maximum number of templates.
  package let limit: Int

  package init(after position: ListPosition? = nil, limit: Int) {
    (self.position, self.limit) = (position, limit)
  }

  /// The kind of rank in positions of this list; `nil` if they have none.
  package var ranking: ListPosition.Ranking? { order == .popular ? .popularity : nil }
}

/// A search for templates that have all of these words, or words that begin like them, in their name, aliases or tags.
package struct TemplateQuery: Hashable, Sendable {
  /// Not empty, without duplicates.
  package let beginnings: [String]

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(
      characters: TemplateName.maximumCharacters, bytes: TemplateName.maximumBytes)
    beginnings = SearchWords(text).prefixes
    guard !beginnings.isEmpty else {
      throw InvalidValue(code: "empty", message: "Must contain a letter or digit to search for.")
    }
  }
}
