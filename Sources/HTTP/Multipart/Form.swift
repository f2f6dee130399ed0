package import Bytes

/// A `multipart/form-data` body (RFC 7578), after it has been read.
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
    /// The client sent more bytes than the field may have. They were dropped.
    case tooLarge
    /// An earlier part has the same name. The bytes were dropped.
    case repeated
    /// The form has no field with this name. The bytes were dropped.
    case unknown
  }

  package init(name: String, content: Content) { (self.name, self.content) = (name, content) }
}

/// The fields that a form may have, and their maximum sizes. Other parts, and repeated ones, are dropped, but their
/// names are recorded.
package struct FormRule: Sendable {
  package enum Field: Sendable {
    /// Text, kept in memory.
    case text(maximumBytes: Int)
    /// A file, kept in memory if there is room, otherwise on disk.
    case file(maximumBytes: Int)
  }

  package let fields: [String: Field]
  /// The maximum number of parts of a form.
  package let maximumParts: Int
  /// Stores files while they arrive.
  package let spool: SpoolPlace

  package init(fields: [String: Field], maximumParts: Int = 64, spool: SpoolPlace) {
    (self.fields, self.maximumParts, self.spool) = (fields, maximumParts, spool)
  }
}
