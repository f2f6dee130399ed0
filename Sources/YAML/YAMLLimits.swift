/// How much YAML is read before it is refused.
package struct YAMLLimits: Sendable {
  /// The length of the text in bytes.
  package var bytes = 1 << 20
  /// The number of values, keys included.
  package var nodes = 100_000
  /// How deep sequences and mappings nest.
  package var depth = 64

  package init() {}
}
