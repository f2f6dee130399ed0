public import Foundation

/// An audit log entry: an action by an admin.
public struct AdminAct: Sendable, Hashable, Codable {
  public var at: Date
  public var actor: Admin
  /// The kind of action, such as `delete-meme` or `suspend`.
  public var act: String
  /// The affected object: an ID, or the username at the time of the action. `nil` if the action affected many objects.
  public var subject: String?
  public var details: Details
  /// The ID of the request, which identifies it in the server log.
  public var requestId: String?

  /// Details of the action. Properties that do not apply are `nil`.
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

/// A filter that selects memes to delete. The server rejects an empty filter, so it cannot select all memes.
public struct DeletionFilter: Sendable, Hashable {
  /// The owner of the memes: a person, or none if the memes were made without an account.
  public enum Owner: Sendable, Hashable {
    case person(String)
    case nobody
  }

  public var owner: Owner?
  /// Selects memes created at this time or later.
  public var after: Date?
  /// Selects memes created before this time.
  public var before: Date?

  public init(owner: Owner? = nil, after: Date? = nil, before: Date? = nil) {
    self.owner = owner
    self.after = after
    self.before = before
  }
}
