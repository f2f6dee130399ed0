/// Some fields of a request are invalid.
package struct InvalidFields: Error, Equatable {
  /// All of them, in the order in which the client receives them.
  package let faults: [FieldFault]

  package init(_ faults: [FieldFault]) { self.faults = faults }
}

/// An invalid field, and why it is invalid.
package struct FieldFault: Sendable, Equatable {
  /// The name of the field, or its path such as `captions[0].text`.
  package let field: String
  package let value: InvalidValue

  package init(_ field: String, _ value: InvalidValue) { (self.field, self.value) = (field, value) }
}
