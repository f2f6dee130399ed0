package import Bytes

/// A `multipart/form-data` body (RFC 7578) after it was read.
package struct Form: Sendable {
  /// The parts, in order.
  package let parts: [FormPart]

  package init(parts: [FormPart]) { self.parts = parts }
}

/// One part of a form.
package struct FormPart: Sendable {
  package let name: String
  package let content: Content

  package enum Content: Sendable {
    case bytes(Bytes)
    /// More bytes came than the field may have; they were dropped.
    case tooLarge
    /// The form has no field of this name; what came was dropped.
    case unknown
  }

  package init(name: String, content: Content) { (self.name, self.content) = (name, content) }
}

/// Which fields a form may have, and how large they may be. Whatever else comes is dropped and remembered by name.
package struct FormRule: Sendable {
  package enum Field: Sendable {
    /// Text, kept in memory.
    case text(maximumBytes: Int)
    /// A file, kept in memory where there is room, else on disk.
    case file(maximumBytes: Int)
  }

  package let fields: [String: Field]
  /// How many parts a form may have.
  package let maximumParts: Int
  /// Where files wait while they arrive.
  package let spool: SpoolPlace

  package init(fields: [String: Field], maximumParts: Int = 64, spool: SpoolPlace) {
    (self.fields, self.maximumParts, self.spool) = (fields, maximumParts, spool)
  }
}
