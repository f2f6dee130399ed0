extension String {
  /// Throws if no character of the text is visible.
  func checkShows() throws(InvalidValue) {
    guard unicodeScalars.allSatisfy(\.isUnseen) else { return }
    throw InvalidValue(code: "empty", message: "Must contain at least one visible character.")
  }
}

extension UnicodeScalar {
  /// Whether the character alone draws nothing: whitespace, default-ignorable code points, and format characters.
  fileprivate var isUnseen: Bool {
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .format, .control: return true
    // The Braille pattern without dots.
    default: return value == 0x2800
    }
  }
}
