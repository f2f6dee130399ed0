/// The name of a template: one line of 1 to 100 characters, not all of them invisible.
package struct TemplateName: Hashable, Sendable {
  package static let maximumCharacters = 100
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 2048

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    guard !text.unicodeScalars.contains(where: \.endsOrControlsLines) else {
      throw InvalidValue(
        code: "control-character",
        message: "A name must be a single line without control characters.")
    }
    try text.checkShows()
    self.text = text
  }

  /// Creates a name that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}

extension UnicodeScalar {
  fileprivate var endsOrControlsLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

}
