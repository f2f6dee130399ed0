/// A part of a list.
///
/// It may have fewer items than were asked for, even none, while ``nextCursor`` says that there is more.
public struct Page<Item> {
  public let items: [Item]
  /// Where the next page begins; `nil` at the end of the list.
  public let nextCursor: Cursor?

  public init(items: [Item], nextCursor: Cursor?) {
    self.items = items
    self.nextCursor = nextCursor
  }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Decodable where Item: Decodable {}

/// A place in a list, as the server wrote it. It is good for the list that it came with.
public struct Cursor: Hashable, Sendable, Codable {
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
