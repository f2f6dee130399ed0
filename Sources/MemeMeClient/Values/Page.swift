/// A page of a list.
///
/// A page may have fewer items than requested, or none, even if ``nextCursor`` indicates that more follow.
public struct Page<Item> {
  public let items: [Item]
  /// The cursor of the next page; `nil` at the end of the list.
  public let nextCursor: Cursor?

  public init(items: [Item], nextCursor: Cursor?) {
    self.items = items
    self.nextCursor = nextCursor
  }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Decodable where Item: Decodable {}

/// An opaque position in a list, created by the server. It is only valid for the list that it came from.
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
