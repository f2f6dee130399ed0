import YAML

extension SchemaValidator {
  /// Returns the violations of a keyword that contains no schemas.
  func asserted(
    _ keyword: YAMLMapping.Pair, of value: JSON, _ place: String
  ) -> [() -> String] {
    let rule = keyword.value
    let holds: Bool? =
      switch keyword.key {
      case "type": isOfType(value, rule)
      case "required": hasMembers(value, rule)
      case "enum": rule.sequence.map { $0.contains { JSON($0) == value } }
      // Some generators write invalid code for a `const` that is no text, so the contract has `x-const` for these.
      case "const", "x-const": JSON(rule) == value
      case "minimum": compare(value.number, rule, >=)
      case "maximum": compare(value.number, rule, <=)
      case "minLength": compare(value.length, rule, >=)
      case "maxLength": compare(value.length, rule, <=)
      case "minItems": compare(value.itemCount, rule, >=)
      case "maxItems": compare(value.itemCount, rule, <=)
      case "pattern": matches(value, rule)
      case "format": isOfFormat(value, rule)
      default: nil
      }
    return switch holds {
    case true: []
    case false: [{ "\(place): \(value) breaks \(keyword.key): \(rule)" }]
    default: [{ "\(place): the schema's \(keyword.key): \(rule) is not understood" }]
    }
  }

  private func isOfType(_ value: JSON, _ rule: YAML) -> Bool? {
    let names = rule.sequence?.map(\.string) ?? [rule.string]
    let known: Set<String> = [
      "null", "boolean", "integer", "number", "string", "array", "object",
    ]
    guard names.allSatisfy({ $0.map(known.contains) ?? false }) else { return nil }
    // A number without a fraction is an integer, however it is written (JSON Schema validation §6.1.1).
    let isInteger = value.number.map { $0 == $0.rounded() } ?? false
    return names.contains(value.typeName) || (isInteger && names.contains("integer"))
  }

  private func hasMembers(_ value: JSON, _ rule: YAML) -> Bool? {
    guard let names = rule.sequence?.compactMap(\.string) else { return nil }
    guard case .object(let members) = value else { return true }
    return names.allSatisfy { members[$0] != nil }
  }

  /// A rule about numbers does not apply to a value that is not a number.
  private func compare(
    _ number: Double?, _ rule: YAML, _ isInOrder: (Double, Double) -> Bool
  ) -> Bool? {
    guard let bound = rule.double else { return nil }
    return number.map { isInOrder($0, bound) } ?? true
  }

  private func matches(_ value: JSON, _ rule: YAML) -> Bool? {
    guard let pattern = rule.string.flatMap(Pattern.init) else { return nil }
    guard case .string(let text) = value else { return true }
    return pattern.isFound(in: text)
  }

  private func isOfFormat(_ value: JSON, _ rule: YAML) -> Bool? {
    guard let format = rule.string.flatMap(StringFormat.init(rawValue:)) else { return nil }
    guard case .string(let text) = value else { return true }
    return format.accepts(text)
  }
}

extension JSON {
  fileprivate var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// In Unicode characters (JSON Schema validation §6.3.1).
  fileprivate var length: Double? {
    if case .string(let text) = self { Double(text.unicodeScalars.count) } else { nil }
  }

  fileprivate var itemCount: Double? {
    if case .array(let items) = self { Double(items.count) } else { nil }
  }
}
