/// What a meme is to be made of.
public struct MemeDraft: Sendable, Hashable {
  /// Where the picture comes from.
  public enum Source: Sendable, Hashable {
    case image(Picture)
    /// One that was sent before.
    case upload(Upload.ID)
    case template(Template.ID)
    /// Another meme's, without its captions.
    case remix(Meme.ID)
  }

  public var source: Source
  public var fields: MemeFields
  /// A name of the client's own. A draft that has one may be sent for ever again: the meme is made once.
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
    switch source {
    case .upload(let id): form.add("upload", id)
    case .template(let id): form.add("template", id)
    case .remix(let id): form.add("remix", id)
    // The last, so that what is wrong with the others is known before it is sent.
    case .image(let picture): form.add("image", picture: picture)
    }
    return try form.body()
  }
}

/// A meme that was made.
public struct PublishedMeme: Sendable, Hashable {
  public let meme: Meme
  /// Opens the meme where it is nobody's: to edit it, to delete it, to fetch its original, to claim it. It is told here alone.
  public let deleteToken: Token?
  /// Whether it was made by this call, and not by one before with the same id or ``IdempotencyKey``.
  public let isNew: Bool
}
