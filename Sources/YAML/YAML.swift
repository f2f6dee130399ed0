/// A YAML value: what a document's node means, without how it was written.
///
/// Plain scalars mean what the core schema says (YAML 1.2.2 §10.3.2); quoted and block scalars are strings.
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
  /// The text of a string, else `nil`.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of an integer, else `nil`.
  package var int: Int? {
    if case .int(let number) = self { number } else { nil }
  }

  /// The value of a float or of an integer, else `nil`.
  package var double: Double? {
    switch self {
    case .float(let number): number
    case .int(let number): Double(number)
    default: nil
    }
  }

  /// The value of a boolean, else `nil`.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The items of a sequence, else `nil`.
  package var sequence: [YAML]? {
    if case .sequence(let items) = self { items } else { nil }
  }

  /// The pairs of a mapping, else `nil`.
  package var mapping: YAMLMapping? {
    if case .mapping(let mapping) = self { mapping } else { nil }
  }

  /// The value of a key of a mapping. `nil` where there is no such key, or no mapping.
  package subscript(key: String) -> YAML? { mapping?[key] }

  /// An item of a sequence. `nil` where there is no such item, or no sequence.
  package subscript(index: Int) -> YAML? {
    guard let sequence, sequence.indices.contains(index) else { return nil }
    return sequence[index]
  }
}
