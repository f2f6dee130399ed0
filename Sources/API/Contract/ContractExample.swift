import YAML

/// Formats a value of the contract as readable JSON.
enum ContractExample {
  /// A value that fits in this many characters is written on one line.
  private static let lineLength = 80

  static func json(_ value: YAML, indentation: String = "") -> String {
    let short = compact(value)
    let inner = indentation + "  "
    switch value {
    case .mapping(let mapping) where short.count > lineLength || !isFlat(value):
      let members = mapping.map {
        "\(inner)\(quoted($0.key)): \(json($0.value, indentation: inner))"
      }
      return "{\n\(members.joined(separator: ",\n"))\n\(indentation)}"
    case .sequence(let items) where short.count > lineLength || !isFlat(value):
      let items = items.map { inner + json($0, indentation: inner) }
      return "[\n\(items.joined(separator: ",\n"))\n\(indentation)]"
    default:
      return short
    }
  }

  /// Whether the value contains no nested collections except empty ones.
  private static func isFlat(_ value: YAML) -> Bool {
    let children = value.sequence ?? value.mapping?.map(\.value) ?? []
    return children.allSatisfy { ($0.sequence?.isEmpty ?? true) && ($0.mapping?.isEmpty ?? true) }
  }

  private static func compact(_ value: YAML) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): String(number)
    case .string(let text): quoted(text)
    case .sequence(let items): "[\(items.map(compact).joined(separator: ", "))]"
    case .mapping(let mapping) where mapping.isEmpty: "{}"
    case .mapping(let mapping):
      "{ \(mapping.map { "\(quoted($0.key)): \(compact($0.value))" }.joined(separator: ", ")) }"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case _ where character.value < 0x20:
        let digits = String(character.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }
}
