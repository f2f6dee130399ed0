public import Foundation

/// The mappings of a connection, to store them or to add them to another connection. It contains no secret.
///
/// To store it in a file, encode it with ``Foundation/JSONEncoder/mememe``.
public struct MappingFile: Sendable, Hashable, Codable {
  /// The version of the format.
  public var version: Int
  /// The connection that the mappings come from. An import ignores it.
  public var connection: Source?
  /// The mappings, at most 20.
  public var mappings: [Entry]

  public init(_ mappings: [Entry]) {
    version = 1
    self.mappings = mappings
  }
}

extension MappingFile {
  /// The connection that was exported.
  public struct Source: Sendable, Hashable, Codable {
    public var id: Connection.ID
    public var name: String
    public var url: String
    public var scope: ConnectionScope
    public var exportedAt: Date
  }

  /// A mapping in the file.
  public struct Entry: Sendable, Hashable {
    /// A mapping that an import changes, if it belongs to the same connection; `nil` to add one.
    public var id: Mapping.ID?
    public var terms: Mapping.Terms

    public init(_ terms: Mapping.Terms, id: Mapping.ID? = nil) {
      self.terms = terms
      self.id = id
    }
  }
}

extension MappingFile.Entry: Codable {
  private enum CodingKeys: CodingKey { case id }

  public init(from decoder: any Decoder) throws {
    terms = try Mapping.Terms(from: decoder)
    id = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(Mapping.ID.self, forKey: .id)
  }

  public func encode(to encoder: any Encoder) throws {
    try terms.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(id, forKey: .id)
  }
}
