/// What a person is called in what others see, in any script: 1 to 50 characters in one line.
package struct DisplayName: Hashable, Sendable {
  package static let maximumCharacters = 50
  /// The bound in bytes that is checked before characters are counted.
  package static let maximumBytes = 1024

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    guard text.unicodeScalars.allSatisfy(Self.staysInItsPlace) else {
      throw InvalidValue(
        code: "not-allowed", message: "A name has no line ends and no control characters.")
    }
    self.text = text
  }

  /// A name that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// Whether a character leaves alone what stands beside the name: ends of lines and the overrides of writing direction
  /// (Unicode Standard Annex 9 §2) do not.
  private static func staysInItsPlace(_ scalar: Unicode.Scalar) -> Bool {
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
