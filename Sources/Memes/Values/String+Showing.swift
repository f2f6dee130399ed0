extension String {
  /// Refuses text of which nothing is seen.
  func checkShows() throws(InvalidValue) {
    guard unicodeScalars.allSatisfy(\.isUnseen) else { return }
    throw InvalidValue(code: "empty", message: "At least one character that shows is needed.")
  }
}

extension UnicodeScalar {
  /// Whether it leaves no ink by itself: blanks, what is ignored where it cannot be drawn, and marks of format.
  fileprivate var isUnseen: Bool {
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .format, .control: return true
    // A cell of Braille without a dot.
    default: return value == 0x2800
    }
  }
}
