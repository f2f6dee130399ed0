import Foundation
package import YAML

/// A JSON value.
@dynamicMemberLookup
package indirect enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Parses JSON text.
  package init(parsing bytes: [UInt8]) throws {
    self.init(
      try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]))
  }

  /// Converts a YAML value to JSON.
  package init(_ value: YAML) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let number): .number(Double(number))
      case .float(let number): .number(number)
      case .string(let text): .string(text)
      case .sequence(let items): .array(items.map { JSON($0) })
      case .mapping(let mapping):
        .object(Dictionary(uniqueKeysWithValues: mapping.map { ($0.key, JSON($0.value)) }))
      }
  }

  private init(_ object: Any) {
    self =
      switch object {
      case let object as [String: Any]: .object(object.mapValues { JSON($0) })
      case let array as [Any]: .array(array.map { JSON($0) })
      case let text as String: .string(text)
      // A Boolean is an NSNumber too. Its Objective-C type distinguishes it from numbers.
      case let number as NSNumber:
        String(cString: number.objCType) == "c"
          ? .bool(number.boolValue) : .number(number.doubleValue)
      default: .null
      }
  }

  /// The name of the type in JSON Schema.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
