import Foundation

/// JSON that a test looks into: `answer.json.image.width.number`. What is not there is `null`.
@dynamicMemberLookup
package enum JSON: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  package init(_ bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
  }

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  package subscript(dynamicMember name: String) -> JSON { self[name] }

  package subscript(_ name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  package subscript(_ index: Int) -> JSON {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { .null }
  }

  package var string: String? { if case .text(let text) = self { text } else { nil } }
  package var int: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
  package var double: Double? { if case .number(let number) = self { number } else { nil } }
  package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  package var items: [JSON] { if case .array(let items) = self { items } else { [] } }
  package var keys: Set<String> {
    if case .object(let members) = self { Set(members.keys) } else { [] }
  }
}
