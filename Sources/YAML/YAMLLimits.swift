/// Limits for parsing YAML.
package struct YAMLLimits: Sendable {
  /// The maximum size of the text in bytes.
  package var bytes = 1 << 20
  /// The maximum number of values, including keys.
  package var nodes = 100_000
  /// The maximum nesting depth of sequences and mappings.
  package var depth = 64

  package init() {}
}
