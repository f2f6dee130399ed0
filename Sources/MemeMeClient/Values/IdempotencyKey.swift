import Foundation

/// What a client calls a request that makes something, so that it can be sent again and is done once.
///
/// The same key goes with the same content alone: with another one the server answers ``Problem/Code/idempotencyKeyReused``.
/// It is good for 24 hours. Who wants to repeat a call after the app was ended keeps the key beside the content.
public struct IdempotencyKey: Hashable, Sendable, Codable {
  public let text: String

  /// A new one, at random.
  public init() { text = UUID().uuidString.lowercased() }

  /// - Parameter text: 1 to 255 visible ASCII characters.
  public init(_ text: String) { self.text = text }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
