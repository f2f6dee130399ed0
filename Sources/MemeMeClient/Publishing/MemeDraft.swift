/// The content of a meme to publish.
public struct MemeDraft: Sendable, Hashable {
  /// The source of the picture.
  public enum Source: Sendable, Hashable {
    case image(Picture)
    /// A picture that was uploaded before.
    case upload(Upload.ID)
    case template(Template.ID)
    /// The picture of another meme, without its captions.
    case remix(Meme.ID)
  }

  public var source: Source
  public var fields: MemeFields
  /// Texts for the boxes of the template, in their order, instead of captions.
  public var texts: [String]?
  /// An ID chosen by the client. A draft with an ID can be published again at any time without creating a duplicate.
  public var id: Meme.ID?

  public init(_ source: Source, _ fields: MemeFields = MemeFields(), id: Meme.ID? = nil) {
    self.source = source
    self.fields = fields
    self.id = id
  }

  public init(_ source: Source, top: String? = nil, bottom: String? = nil, id: Meme.ID? = nil) {
    self.init(source, MemeFields(top: top, bottom: bottom), id: id)
  }

  func body() throws -> RequestBody {
    var form = MultipartForm()
    form.add("id", id)
    try fields.add(to: &form)
    try form.add("texts", json: texts)
    source.add(to: &form)
    return try form.body()
  }
}

extension MemeDraft.Source {
  /// Adds the last field of the form, so that the server can reject invalid fields before it receives the picture.
  func add(to form: inout MultipartForm) {
    switch self {
    case .upload(let id): form.add("upload", id)
    case .template(let id): form.add("template", id)
    case .remix(let id): form.add("remix", id)
    case .image(let picture): form.add("image", picture: picture)
    }
  }
}

/// A published meme.
public struct PublishedMeme: Sendable, Hashable {
  public let meme: Meme
  /// For a meme without an account, the token that permits editing, deleting and claiming it and downloading its
  /// original. The server does not return it again.
  public let deleteToken: Token?
  /// Whether this call created the meme, and not an earlier call with the same ID or ``IdempotencyKey``.
  public let isNew: Bool
}
