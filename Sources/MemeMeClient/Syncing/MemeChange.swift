public import Foundation

/// A change to a meme.
public enum MemeChange: Sendable, Hashable {
  /// The meme was created, edited or restored. The associated value is its current state.
  case upsert(Meme)
  case delete(Meme.ID, deletedAt: Date)
  /// A type of change that only newer clients know.
  case other(String)
}

extension MemeChange: Decodable {
  private enum Key: CodingKey { case type, meme, id, deletedAt }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .type) {
    case "upsert": self = .upsert(try container.decode(Meme.self, forKey: .meme))
    case "delete":
      self = .delete(
        try container.decode(Meme.ID.self, forKey: .id),
        deletedAt: try container.decode(Date.self, forKey: .deletedAt))
    case let type: self = .other(type)
    }
  }
}

/// A page of changes in order. Each meme occurs once, in its current state.
public struct ChangePage: Sendable, Hashable, Decodable {
  public let changes: [MemeChange]
  /// The position at which the next page begins.
  public let cursor: Cursor
  /// Whether more changes are available now.
  public let hasMore: Bool

  public init(changes: [MemeChange], cursor: Cursor, hasMore: Bool) {
    self.changes = changes
    self.cursor = cursor
    self.hasMore = hasMore
  }
}
