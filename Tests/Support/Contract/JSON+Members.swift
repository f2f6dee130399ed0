/// Lets a test access the members of a response: `json.image.width.int`. A missing member is `null`.
extension JSON {
  package subscript(dynamicMember name: String) -> JSON { self[name] }

  package subscript(_ name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  package subscript(_ index: Int) -> JSON {
    elements.indices.contains(index) ? elements[index] : .null
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  package var int: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }

  package var double: Double? { if case .number(let number) = self { number } else { nil } }

  package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  package var elements: [JSON] { if case .array(let items) = self { items } else { [] } }

  package var keys: Set<String> {
    if case .object(let members) = self { Set(members.keys) } else { [] }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  package init(stringLiteral text: String) { self = .string(text) }

  package init(integerLiteral number: Int) { self = .number(Double(number)) }

  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
