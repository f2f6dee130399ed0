package import YAML

extension Contract {
  /// A value that the contract shows, and the schema that it must match.
  package struct Example: Sendable, CustomStringConvertible {
    /// The place in the document.
    package let place: String
    package let schema: YAML
    package let value: YAML

    package var description: String { place }
  }

  /// Every example and every default in the document.
  package var examples: [Example] {
    var found: [Example] = []
    visit(document, at: "#") { node, place in
      if let shown = node["examples"]?.mapping, let schema = node["schema"] {
        for example in shown {
          let value = example.value.resolved(in: document)["value"] ?? .null
          found.append(
            Example(place: "\(place)/examples/\(example.key)", schema: schema, value: value))
        }
      }
    } schema: { schema, place in
      for (index, value) in (schema["examples"]?.sequence ?? []).enumerated() {
        found.append(Example(place: "\(place)/examples/\(index)", schema: schema, value: value))
      }
      if let value = schema["default"] {
        found.append(Example(place: "\(place)/default", schema: schema, value: value))
      }
    }
    return found
  }

  /// The keywords of the document's schemas that ``SchemaValidator`` does not know, with their places.
  package var unknownKeywords: [String] {
    let known = Self.knownKeywords
    var found: [String] = []
    visit(document, at: "#") { _, _ in
    } schema: { schema, place in
      found += (schema.mapping?.keys ?? []).filter { !known.contains($0) }.map { "\(place)/\($0)" }
    }
    return found
  }

  /// The references without a target.
  package var brokenReferences: [String] {
    func broken(in node: YAML) -> [String] {
      switch node {
      case .sequence(let items): return items.flatMap(broken)
      case .mapping(let mapping):
        let own = mapping["$ref"].map { document.resolving(reference: $0) == nil ? ["\($0)"] : [] }
        return (own ?? []) + mapping.flatMap { broken(in: $0.value) }
      default: return []
      }
    }
    return broken(in: document)
  }

  private static let knownKeywords = SchemaValidator.annotations.union([
    "$ref", "allOf", "anyOf", "oneOf", "properties", "additionalProperties", "items", "type",
    "required", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems",
    "maxItems", "pattern", "format", "x-any-of", "x-const",
  ])

  /// Visits each place of the document once, outside and inside of schemas. References are not followed.
  private func visit(
    _ node: YAML, at place: String, other: (YAML, String) -> Void, schema: (YAML, String) -> Void
  ) {
    other(node, place)
    for (index, item) in (node.sequence ?? []).enumerated() {
      visit(item, at: "\(place)/\(index)", other: other, schema: schema)
    }
    for pair in node.mapping ?? YAMLMapping() {
      let here = "\(place)/\(pair.key)"
      switch pair.key {
      case "examples": continue
      case "schema": visitSchema(pair.value, at: here, schema)
      case "schemas":
        for named in pair.value.mapping ?? YAMLMapping() {
          visitSchema(named.value, at: "\(here)/\(named.key)", schema)
        }
      default: visit(pair.value, at: here, other: other, schema: schema)
      }
    }
  }

  private func visitSchema(_ node: YAML, at place: String, _ visitor: (YAML, String) -> Void) {
    visitor(node, place)
    for key in ["items", "additionalProperties", "unevaluatedProperties"] {
      if let schema = node[key] { visitSchema(schema, at: "\(place)/\(key)", visitor) }
    }
    for property in node["properties"]?.mapping ?? YAMLMapping() {
      visitSchema(property.value, at: "\(place)/properties/\(property.key)", visitor)
    }
    for key in ["allOf", "anyOf", "oneOf", "x-any-of"] {
      for (index, schema) in (node[key]?.sequence ?? []).enumerated() {
        visitSchema(schema, at: "\(place)/\(key)/\(index)", visitor)
      }
    }
  }
}
