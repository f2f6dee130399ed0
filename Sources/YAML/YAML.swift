/// A YAML value: the content of a node, without its style.
///
/// Plain scalars follow the core schema (YAML 1.2.2 §10.3.2). Quoted and block scalars are strings.
package indirect enum YAML: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case float(Double)
  case string(String)
  case sequence([YAML])
  case mapping(YAMLMapping)
}

extension YAML {
  /// The text of a string; otherwise `nil`.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of an integer; otherwise `nil`.
  package var int: Int? {
    if case .int(let number) = self { number } else { nil }
  }

  /// The value of a float or an integer; otherwise `nil`.
  package var double: Double? {
    switch self {
    case .float(let number): number
    case .int(let number): Double(number)
    default: nil
    }
  }

  /// The value of a boolean; otherwise `nil`.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The items of a sequence; otherwise `nil`.
  package var sequence: [YAML]? {
    if case .sequence(let items) = self { items } else { nil }
  }

  /// The pairs of a mapping; otherwise `nil`.
  package var mapping: YAMLMapping? {
    if case .mapping(let mapping) = self { mapping } else { nil }
  }

  /// The value for a key; `nil` if there is no such key, or if this is not a mapping.
  package subscript(key: String) -> YAML? { mapping?[key] }

  /// The item at an index; `nil` if the index is out of range, or if this is not a sequence.
  package subscript(index: Int) -> YAML? {
    guard let sequence, sequence.indices.contains(index) else { return nil }
    return sequence[index]
  }
}
