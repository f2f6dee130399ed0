/// A kind of event that a connection delivers.
public struct EventType: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A meme was published, or began to match the mapping, for example because its visibility changed.
  public static let memeCreated: Self = "meme.created"
  public static let memeUpdated: Self = "meme.updated"
  /// A meme was deleted, or no longer matches the mapping.
  public static let memeDeleted: Self = "meme.deleted"
  public static let commentCreated: Self = "comment.created"
  public static let likeCreated: Self = "like.created"
  public static let followCreated: Self = "follow.created"
  /// Only for the scope ``ConnectionScope/all``.
  public static let reportCreated: Self = "report.created"
  /// A person registered. Only for the scope ``ConnectionScope/all``.
  public static let userCreated: Self = "user.created"
}
