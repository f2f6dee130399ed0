public import Foundation

/// An act of an admin.
public struct AdminAct: Sendable, Hashable, Codable {
  public var at: Date
  public var actor: Admin
  /// What was done, such as `delete-meme` or `suspend`.
  public var act: String
  /// What it was done to, a username at that time or an id; `nil` where it was many things.
  public var subject: String?
  public var details: Details
  /// The request's id, to be found in the log.
  public var requestId: String?

  /// What else there is to say.
  public struct Details: Sendable, Hashable, Codable {
    public var reason: String?
    public var role: String?
    public var author: String?
    public var anonymous: Bool?
    public var after: Date?
    public var before: Date?
    public var count: Int?
    public var note: String?
  }
}

/// Which memes an admin deletes at once; not all there are.
public struct DeletionFilter: Sendable, Hashable {
  /// Whose they are: somebody's, or nobody's.
  public enum Owner: Sendable, Hashable {
    case person(String)
    case nobody
  }

  public var owner: Owner?
  /// Made at this time or later.
  public var after: Date?
  /// Made before this time.
  public var before: Date?

  public init(owner: Owner? = nil, after: Date? = nil, before: Date? = nil) {
    self.owner = owner
    self.after = after
    self.before = before
  }
}
