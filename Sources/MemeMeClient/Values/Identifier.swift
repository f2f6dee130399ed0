public import Foundation

/// A typed ID of an object such as a meme: a UUID, which the server writes in lowercase.
///
/// A client can create its own IDs, with UUIDs of any version: `Meme.ID()`.
public struct Identifier<Subject>: Hashable, Sendable {
  public let uuid: UUID

  public init(_ uuid: UUID) { self.uuid = uuid }

  /// Creates a random ID.
  public init() { self.init(UUID()) }
}

extension Identifier: LosslessStringConvertible {
  /// The ID as written in URLs and in JSON.
  public var description: String { uuid.uuidString.lowercased() }

  /// - Returns: `nil` if the text is not a UUID.
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
