public import Foundation

/// What somebody wrote about a meme.
public struct Comment: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Comment>

  public var id: ID
  /// What it is about.
  public var meme: Meme.ID
  public var author: Author?
  public var text: String
  public var createdAt: Date
  /// When it was last changed; `nil` where it is as it was written.
  public var editedAt: Date?
  public var viewer: Viewer

  /// What the comment is to whoever asks.
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
