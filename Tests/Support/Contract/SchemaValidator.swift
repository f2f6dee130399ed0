package import YAML

/// Holds JSON values against JSON Schemas (draft 2020-12), as far as `openapi.yaml` uses it.
///
/// A keyword that it does not know is a violation, so that nothing a schema says is passed over in silence.
package struct SchemaValidator: Sendable {
  /// The document that `$ref` points into.
  let document: YAML
  /// Whether an object has the members that its schema names and no others, if the schema leaves that open.
  ///
  /// Answers are open in the contract, so that members can be added. What this server sends is in it all the same.
  let closesObjects: Bool

  package init(document: YAML, closingObjects: Bool = false) {
    (self.document, closesObjects) = (document, closingObjects)
  }

  /// What is wrong with the value; empty where it is valid.
  package func violations(of value: JSON, against schema: YAML, at place: String = "$") -> [String]
  {
    whole(value, schema, place).violations.map { $0() }
  }

  /// What became of one value and one schema.
  struct Outcome {
    /// Written only if the whole value is invalid: of alternatives most do not fit.
    var violations: [() -> String] = []
    /// The members of the value that some keyword looked at: what is left is unevaluated.
    var evaluated: Set<String> = []
    /// Whether some keyword named members.
    var namesMembers = false

    mutating func merge(_ other: Outcome) {
      violations += other.violations
      evaluated.formUnion(other.evaluated)
      namesMembers = namesMembers || other.namesMembers
    }
  }

  /// A value with all that is said of it.
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
    // Last, because it is about what all the others left (JSON Schema core §11.3).
    if let rest = keywords["unevaluatedProperties"] {
      outcome.merge(members(of: value, except: outcome.evaluated, rest, place))
    }
    return outcome
  }

  /// Keywords that say nothing about validity. `unevaluatedProperties` and `additionalProperties` have their own turn.
  static let annotations: Set<String> = [
    "description", "title", "default", "examples", "contentMediaType", "unevaluatedProperties",
  ]

  /// The outcome of a keyword that has schemas in it; `nil` for any other keyword.
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
    case "anyOf", "oneOf":
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
    let outcomes = (keyword.value.sequence ?? []).map { evaluate(value, $0, place) }
    let valid = outcomes.filter(\.violations.isEmpty)
    guard keyword.key == "anyOf" ? !valid.isEmpty : valid.count == 1 else {
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
