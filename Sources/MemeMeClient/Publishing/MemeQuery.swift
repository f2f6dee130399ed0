/// A filter and an order for a list of memes.
public struct MemeQuery: Sendable, Hashable {
  /// Words that must all occur in the captions, the alternative text or the tags.
  public var words: String?
  /// The author: a username or ``me``.
  public var author: String?
  /// Not available with words or an author.
  public var tag: String?
  public var sort: Sort?

  public init(
    words: String? = nil, author: String? = nil, tag: String? = nil, sort: Sort? = nil
  ) {
    self.words = words
    self.author = author
    self.tag = tag
    self.sort = sort
  }

  /// The signed-in user, as ``author``.
  public static let me = "me"

  public struct Sort: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let newest: Self = "newest"
    public static let oldest: Self = "oldest"
    /// Popular memes first. Not available with words, an author or a tag.
    public static let popular: Self = "popular"
  }
}
