/// The header fields of a message, in order.
package struct Headers: Equatable, Sendable {
  package private(set) var fields: [(name: HeaderName, value: HeaderValue)] = []

  package init() {}

  package static func == (left: Headers, right: Headers) -> Bool {
    left.fields.elementsEqual(right.fields, by: ==)
  }

  package init(_ fields: [(HeaderName, HeaderValue)]) {
    self.fields = fields.map { (name: $0.0, value: $0.1) }
  }

  /// The value of the first field with this name. Setting it replaces all of them.
  package subscript(_ name: HeaderName) -> HeaderValue? {
    get { fields.first { $0.name == name }?.value }
    set {
      fields.removeAll { $0.name == name }
      if let newValue { fields.append((name: name, value: newValue)) }
    }
  }

  /// Reserves memory for this many fields.
  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Adds a field after the existing ones.
  package mutating func append(_ name: HeaderName, _ value: HeaderValue) {
    fields.append((name: name, value: value))
  }

  /// All values of the fields with this name, in order.
  package func all(_ name: HeaderName) -> [HeaderValue] {
    var values: [HeaderValue] = []
    for field in fields where field.name == name { values.append(field.value) }
    return values
  }

  /// The values of the fields with this name, joined by commas (RFC 9110 §5.3), or `nil` if none exists.
  package func combined(_ name: HeaderName) -> String? {
    let values = all(name)
    return values.isEmpty ? nil : values.map(\.text).joined(separator: ", ")
  }
}
