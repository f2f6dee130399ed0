/// The effect of an edit on a field.
public enum Change<Value> {
  /// Keeps the value of the field.
  case keep
  /// Resets the field to its default.
  case reset
  case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension Change: Encodable where Value: Encodable {
  /// - Throws: An error for `keep`, which only an object can express, by omitting the member.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .keep:
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath, debugDescription: "an unchanged value cannot be encoded"))
    case .reset: try container.encodeNil()
    case .set(let value): try container.encode(value)
    }
  }
}

extension Change: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .reset : .set(try container.decode(Value.self))
  }
}

// Overloads that synthesized code calls for the members of an object.

extension KeyedEncodingContainer {
  /// Encodes a member of a merge patch (RFC 7396): omits it for `keep`, and writes `null` for `reset`.
  mutating func encode<Value: Encodable>(_ change: Change<Value>, forKey key: Key) throws {
    switch change {
    case .keep: break
    case .reset: try encodeNil(forKey: key)
    case .set(let value): try encode(value, forKey: key)
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a member that `encode` wrote.
  func decode<Value: Decodable>(_ type: Change<Value>.Type, forKey key: Key) throws -> Change<Value>
  {
    guard contains(key) else { return .keep }
    guard try !decodeNil(forKey: key) else { return .reset }
    return .set(try decode(Value.self, forKey: key))
  }
}
