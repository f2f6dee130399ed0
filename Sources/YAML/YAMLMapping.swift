/// The pairs of a YAML mapping in source order, with unique keys.
///
/// A key is the text of a scalar: `404:` and `'404':` are the same key.
package struct YAMLMapping: Hashable, Sendable {
  package struct Pair: Hashable, Sendable {
    package let key: String
    package let value: YAML
  }

  private var pairs: [Pair] = []
  private var positions: [String: Int] = [:]

  package init() {}

  /// The keys in source order.
  package var keys: [String] { pairs.map(\.key) }

  /// The value for a key; `nil` if there is no such key.
  package subscript(key: String) -> YAML? { positions[key].map { pairs[$0].value } }

  /// Appends a pair.
  ///
  /// - Returns: `false` if the key already exists. The mapping is then unchanged.
  mutating func append(_ key: String, _ value: YAML) -> Bool {
    guard positions[key] == nil else { return false }
    positions[key] = pairs.count
    pairs.append(Pair(key: key, value: value))
    return true
  }

  // Equality ignores the order of the pairs (YAML 1.2.2 §3.2.1.1).
  package static func == (left: YAMLMapping, right: YAMLMapping) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Set(pairs))
  }
}

extension YAMLMapping: RandomAccessCollection {
  package var startIndex: Int { pairs.startIndex }
  package var endIndex: Int { pairs.endIndex }
  package subscript(position: Int) -> Pair { pairs[position] }
}
