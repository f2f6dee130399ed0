import Foundation

/// A key that identifies a request, so that the server executes it only once if the client repeats it.
///
/// A key is valid for 24 hours and for one content only: the server reports ``Problem/Code/idempotencyKeyReused`` if
/// the content differs. To repeat a call after the app has ended, store the key with the content.
public struct IdempotencyKey: Hashable, Sendable, Codable {
  public let text: String

  /// Creates a random key.
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
