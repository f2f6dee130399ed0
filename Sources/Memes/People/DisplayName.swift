/// The name that others see, in any script: 1 to 50 characters on one line.
package struct DisplayName: Hashable, Sendable {
  package static let maximumCharacters = 50
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 1024

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    guard text.unicodeScalars.allSatisfy(Self.staysInItsPlace) else {
      throw InvalidValue(
        code: "not-allowed", message: "A name must not contain line breaks or control characters.")
    }
    self.text = text
  }

  /// Creates a name that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// Whether the character affects only the name itself. Line ends and bidirectional overrides (Unicode Standard Annex
  /// 9 §2) would affect the text around it.
  static func staysInItsPlace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    default: break
    }
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: return false
    default: return true
    }
  }
}
