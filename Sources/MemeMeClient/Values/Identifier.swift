public import Foundation

/// Names one thing of a kind, such as a meme: a UUID, which servers write in small letters.
///
/// A client may make one of its own, of any version: `Meme.ID()`.
public struct Identifier<Subject>: Hashable, Sendable {
  public let uuid: UUID

  public init(_ uuid: UUID) { self.uuid = uuid }

  /// A new one, at random.
  public init() { self.init(UUID()) }
}

extension Identifier: LosslessStringConvertible {
  /// As it stands in addresses and in JSON.
  public var description: String { uuid.uuidString.lowercased() }

  /// - Returns: `nil` where the text is no UUID.
  public init?(_ description: String) {
    guard let uuid = UUID(uuidString: description) else { return nil }
    self.init(uuid)
  }
}

extension Identifier: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = Self(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID: \(text)")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
