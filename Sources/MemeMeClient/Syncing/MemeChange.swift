public import Foundation

/// What became of a meme.
public enum MemeChange: Sendable, Hashable {
  /// It was made, edited or restored, and is this now.
  case upsert(Meme)
  case delete(Meme.ID, deletedAt: Date)
  /// Something that only a newer client knows.
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

/// What changed, in the order of the changes, each meme once and as it is now.
public struct ChangePage: Sendable, Hashable, Decodable {
  public let changes: [MemeChange]
  /// Where the next page begins.
  public let cursor: Cursor
  /// Whether there is more already.
  public let hasMore: Bool

  public init(changes: [MemeChange], cursor: Cursor, hasMore: Bool) {
    self.changes = changes
    self.cursor = cursor
    self.hasMore = hasMore
  }
}
