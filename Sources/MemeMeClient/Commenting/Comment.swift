public import Foundation

/// A comment on a meme.
public struct Comment: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Comment>

  public var id: ID
  /// The ID of the commented meme.
  public var meme: Meme.ID
  public var author: Author?
  public var text: String
  public var createdAt: Date
  /// The time of the last edit; `nil` if the comment has never been edited.
  public var editedAt: Date?
  public var viewer: Viewer

  /// The caller's permissions for a comment.
  public struct Viewer: Sendable, Hashable, Codable {
    public var canEdit: Bool
    public var canDelete: Bool
  }

  /// The order of a list of comments.
  public struct Sort: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let newest: Self = "newest"
    public static let oldest: Self = "oldest"
  }
}
