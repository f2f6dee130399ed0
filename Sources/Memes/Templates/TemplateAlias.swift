/// A short name of a template in addresses, such as `two-panels`: 1 to 60 lowercase letters (a to z) and digits, with
/// single hyphens between them. No other template has the same alias.
package struct TemplateAlias: Hashable, Sendable {
  package static let maximumLength = 60
  /// The maximum number of aliases of one template.
  package static let maximumCount = 5
  /// Words that mean something else in the place of a template.
  private static let reserved: Set<String> = ["custom", "preview"]

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    guard Self.isWellFormed(text), TemplateID(text) == nil, !Self.reserved.contains(text) else {
      throw InvalidValue(
        code: "invalid-alias",
        message: """
          An alias has 1 to \(Self.maximumLength) lowercase letters (a to z) and digits, with hyphens between them. It \
          is not a UUID, "custom" or "preview".
          """)
    }
    self.text = text
  }

  /// Creates an alias that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  private static func isWellFormed(_ text: String) -> Bool {
    guard (1...maximumLength).contains(text.utf8.count) else { return false }
    return text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { piece in
      !piece.isEmpty
        && piece.utf8.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
  }
}

extension [TemplateAlias] {
  /// Reads the aliases of a template. Repetitions are left out.
  ///
  /// - Throws: `too-many` if there are more than ``TemplateAlias/maximumCount``.
  package init(reading texts: [String]) throws(InvalidValue) {
    self = []
    for text in texts {
      let alias = try TemplateAlias(text)
      if !contains(alias) { append(alias) }
      guard count <= TemplateAlias.maximumCount else {
        throw InvalidValue(
          code: "too-many",
          message: "A template has at most \(TemplateAlias.maximumCount) aliases.")
      }
    }
  }
}

/// How a request names a template: by its ID or by an alias.
package enum TemplateReference: Hashable, Sendable {
  case id(TemplateID)
  case alias(TemplateAlias)

  /// - Returns: `nil` if no template can have this name.
  package init?(_ text: String) {
    if let id = TemplateID(text) {
      self = .id(id)
    } else if let alias = try? TemplateAlias(text) {
      self = .alias(alias)
    } else {
      return nil
    }
  }
}
