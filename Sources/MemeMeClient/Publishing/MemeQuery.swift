/// Which memes are listed, and in which order.
public struct MemeQuery: Sendable, Hashable {
  /// Words that all have in their captions or alternative text.
  public var words: String?
  /// Whose they are: a username, or ``me``.
  public var author: String?
  public var sort: Sort?

  public init(words: String? = nil, author: String? = nil, sort: Sort? = nil) {
    self.words = words
    self.author = author
    self.sort = sort
  }

  /// Whoever is signed in.
  public static let me = "me"

  public struct Sort: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let newest: Self = "newest"
    public static let oldest: Self = "oldest"
    /// What people like; not together with words or an author.
    public static let popular: Self = "popular"
  }
}
