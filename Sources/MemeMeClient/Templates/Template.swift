public import Foundation

/// A picture that everyone can make memes from.
public struct Template: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Template>

  public var id: ID
  public var name: String
  public var altText: String
  /// The places for texts, in the order in which ``MemeDraft/texts`` fill them. Without boxes, the first text is at the
  /// top and the second at the bottom. `nil` from a server that has no boxes.
  public var boxes: [TemplateBox]?
  /// The places for pictures, such as a second panel; `nil` from a server that has none.
  public var pictures: [PictureBox]?
  /// The tags, in lowercase; `nil` from a server that has no tags of templates.
  public var tags: [String]?
  /// Short names for URLs; `nil` from a server that has none.
  public var aliases: [String]?
  /// The URL of the page from which the picture comes.
  public var source: String?
  public var createdAt: Date
  public var image: Meme.Image
  public var thumbnail: Thumbnail
}

/// A place for a text on the picture of a template.
public struct TemplateBox: Sendable, Hashable, Codable {
  /// What the text is about.
  public var name: String?
  /// The position and the style. The text is an example, at most 120 characters.
  public var caption: CaptionBox

  public init(name: String? = nil, _ caption: CaptionBox) {
    self.name = name
    self.caption = caption
  }

  private enum CodingKeys: CodingKey { case name }

  public init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(String.self, forKey: .name)
    caption = try CaptionBox(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try caption.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(name, forKey: .name)
  }
}

/// The fields of a new template except its picture.
public struct TemplateFields: Sendable, Hashable {
  public var name: String
  /// The text alternative for screen readers. If `nil`, the name is used.
  public var altText: String?
  /// If `nil`, a template that is made from a meme has the captions of the meme.
  public var boxes: [TemplateBox]?
  /// The places for pictures, at most 8. If `nil`, a template that is made from a meme has those of the meme.
  public var pictures: [PictureBox]?
  public var tags: [String] = []
  /// At most 5, of letters (a to z) and digits with hyphens between them. No other template may have them.
  public var aliases: [String] = []
  /// The URL of the page from which the picture comes.
  public var source: String?

  public init(name: String, altText: String? = nil, boxes: [TemplateBox]? = nil) {
    self.name = name
    self.altText = altText
    self.boxes = boxes
  }

  func add(to form: inout MultipartForm) throws {
    form.add("name", name)
    form.add("altText", altText)
    try form.add("boxes", json: boxes)
    try form.add("pictures", json: pictures)
    try form.add("tags", json: tags.isEmpty ? nil : tags)
    try form.add("aliases", json: aliases.isEmpty ? nil : aliases)
    form.add("source", source)
  }
}

/// The changes of a template. Its picture stays, and so do the memes that were made from it.
public struct TemplateEdit: Sendable, Hashable, Codable {
  public var name: Change<String> = .keep
  public var altText: Change<String> = .keep
  public var boxes: Change<[TemplateBox]> = .keep
  public var pictures: Change<[PictureBox]> = .keep
  public var tags: Change<[String]> = .keep
  public var aliases: Change<[String]> = .keep
  public var source: Change<String> = .keep

  public init() {}
}

/// A filter and an order for a list of templates.
public struct TemplateQuery: Sendable, Hashable {
  /// Words, or beginnings of words, that must all occur in the name, the aliases or the tags.
  public var words: String?
  public var tag: String?
  /// Whether the templates from which the most memes were made are first, instead of the newest.
  public var isByPopularity = false

  public init(words: String? = nil, tag: String? = nil, isByPopularity: Bool = false) {
    self.words = words
    self.tag = tag
    self.isByPopularity = isByPopularity
  }
}
