/// What an edit does with a field.
public enum Change<Value> {
  /// The field stays as it is.
  case keep
  /// The field becomes what it is where nobody chooses.
  case reset
  case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension Change: Encodable where Value: Encodable {
  /// - Throws: for what stays, which only a member of an object can say, by not being there.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .keep:
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "nothing says that it stays"))
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

// What synthesized code calls for the members of an object.

extension KeyedEncodingContainer {
  /// Writes a member of a merge patch (RFC 7396): nothing for what stays, `null` for what is reset.
  mutating func encode<Value: Encodable>(_ change: Change<Value>, forKey key: Key) throws {
    switch change {
    case .keep: break
    case .reset: try encodeNil(forKey: key)
    case .set(let value): try encode(value, forKey: key)
    }
  }
}

extension KeyedDecodingContainer {
  /// Reads what `encode` wrote.
  func decode<Value: Decodable>(_ type: Change<Value>.Type, forKey key: Key) throws -> Change<Value>
  {
    guard contains(key) else { return .keep }
    guard try !decodeNil(forKey: key) else { return .reset }
    return .set(try decode(Value.self, forKey: key))
  }
}
