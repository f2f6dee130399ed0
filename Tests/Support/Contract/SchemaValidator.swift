package import YAML

/// Validates JSON values against JSON Schemas (draft 2020-12), as far as `openapi.yaml` uses them.
///
/// An unknown keyword is a violation, so that no rule of a schema is skipped silently.
package struct SchemaValidator: Sendable {
  /// The document in which `$ref` is resolved.
  let document: YAML
  /// Whether an object may only have the members that its schema names, if the schema leaves that open.
  ///
  /// Responses are open in the contract, so that members can be added. But the contract has every member that this
  /// server sends.
  let closesObjects: Bool

  package init(document: YAML, closingObjects: Bool = false) {
    (self.document, closesObjects) = (document, closingObjects)
  }

  /// Returns the violations of the value. Empty if the value is valid.
  package func violations(of value: JSON, against schema: YAML, at place: String = "$") -> [String]
  {
    whole(value, schema, place).violations.map { $0() }
  }

  /// The result of one value and one schema.
  struct Outcome {
    /// The texts are made only if the whole value is invalid, because most alternatives do not match.
    var violations: [() -> String] = []
    /// The members of the value that a keyword evaluated. The others are unevaluated.
    var evaluated: Set<String> = []
    /// Whether a keyword named members.
    var namesMembers = false

    mutating func merge(_ other: Outcome) {
      violations += other.violations
      evaluated.formUnion(other.evaluated)
      namesMembers = namesMembers || other.namesMembers
    }
  }

  /// Evaluates a value with all schemas of its place.
  private func whole(_ value: JSON, _ schema: YAML, _ place: String) -> Outcome {
    var outcome = evaluate(value, schema, place)
    guard closesObjects, outcome.namesMembers, case .object(let members) = value else {
      return outcome
    }
    for name in members.keys.filter({ !outcome.evaluated.contains($0) }).sorted() {
      outcome.violations.append { "\(place).\(name): the contract does not have it" }
    }
    return outcome
  }

  func evaluate(_ value: JSON, _ schema: YAML, _ place: String) -> Outcome {
    if let isAllowed = schema.bool {
      return Outcome(violations: isAllowed ? [] : [{ "\(place): is not allowed" }])
    }
    guard let keywords = schema.mapping else {
      return Outcome(violations: [{ "\(place): the schema is neither a mapping nor a boolean" }])
    }
    var outcome = Outcome()
    for keyword in keywords {
      if let other = applied(keyword, to: value, among: keywords, place) {
        outcome.merge(other)
      } else if !Self.annotations.contains(keyword.key) {
        outcome.violations += asserted(keyword, of: value, place)
      }
    }
    // Last, because it applies to the members that all other keywords left (JSON Schema core §11.3).
    if let rest = keywords["unevaluatedProperties"] {
      outcome.merge(members(of: value, except: outcome.evaluated, rest, place))
    }
    return outcome
  }

  /// Keywords without an effect on validity. `unevaluatedProperties` and `additionalProperties` are handled separately.
  static let annotations: Set<String> = [
    "description", "title", "default", "examples", "contentMediaType", "unevaluatedProperties",
  ]

  /// The result of a keyword that contains schemas, or `nil` for any other keyword.
  private func applied(
    _ keyword: YAMLMapping.Pair, to value: JSON, among keywords: YAMLMapping, _ place: String
  ) -> Outcome? {
    switch keyword.key {
    case "$ref":
      guard let target = document.resolving(reference: keyword.value) else {
        return Outcome(violations: [{ "\(place): \(keyword.value) leads nowhere" }])
      }
      return evaluate(value, target, place)
    case "allOf":
      var outcome = Outcome()
      for schema in keyword.value.sequence ?? [] { outcome.merge(evaluate(value, schema, place)) }
      return outcome
    // Generators cannot tell the alternatives of `x-any-of` apart, so the contract also has one schema for all.
    case "anyOf", "oneOf", "x-any-of":
      return alternatives(keyword, of: value, place)
    case "properties":
      return properties(keyword.value, of: value, place)
    case "additionalProperties":
      let named = Set(keywords["properties"]?.mapping?.keys ?? [])
      return members(of: value, except: named, keyword.value, place)
    case "items":
      var outcome = Outcome()
      guard case .array(let items) = value else { return outcome }
      for (index, item) in items.enumerated() {
        outcome.violations += whole(item, keyword.value, "\(place)[\(index)]").violations
      }
      return outcome
    default:
      return nil
    }
  }

  private func alternatives(
    _ keyword: YAMLMapping.Pair, of value: JSON, _ place: String
  ) -> Outcome {
    // Each alternative of `x-any-of` is a schema of its own, and not a part of the schema that it is in.
    let outcomes = (keyword.value.sequence ?? []).map {
      keyword.key == "x-any-of" ? whole(value, $0, place) : evaluate(value, $0, place)
    }
    let valid = outcomes.filter(\.violations.isEmpty)
    guard keyword.key == "oneOf" ? valid.count == 1 : !valid.isEmpty else {
      return Outcome(violations: [
        {
          let reasons = outcomes.map { $0.violations.map { $0() }.joined(separator: "; ") }
          return "\(place): fits \(valid.count) of the alternatives of \(keyword.key): \(reasons)"
        }
      ])
    }
    return valid.reduce(into: Outcome()) { $0.merge($1) }
  }

  private func properties(_ schemas: YAML, of value: JSON, _ place: String) -> Outcome {
    var outcome = Outcome(namesMembers: true)
    guard case .object(let members) = value else { return outcome }
    for property in schemas.mapping ?? YAMLMapping() {
      guard let member = members[property.key] else { continue }
      outcome.evaluated.insert(property.key)
      outcome.violations +=
        whole(member, property.value, "\(place).\(property.key)").violations
    }
    return outcome
  }

  private func members(
    of value: JSON, except known: Set<String>, _ schema: YAML, _ place: String
  ) -> Outcome {
    var outcome = Outcome()
    guard case .object(let members) = value else { return outcome }
    for (name, member) in members.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      outcome.evaluated.insert(name)
      outcome.violations += whole(member, schema, "\(place).\(name)").violations
    }
    return outcome
  }
}
