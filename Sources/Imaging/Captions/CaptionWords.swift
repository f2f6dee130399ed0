import Foundation

/// Prepares typed text for drawing.
enum CaptionWords {
  /// Applies the letter case and trims whitespace. A newline stays; any other control character becomes a space.
  static func prepare(_ typed: String, _ letters: CaptionLook.Letters) -> String {
    var scalars = String.UnicodeScalarView()
    // Fonts contain precomposed accented letters. A separate letter and accent may be drawn in two fonts.
    let typed = typed.precomposedStringWithCanonicalMapping
    for scalar in (letters == .capitals ? capitals(typed) : typed).unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
      scalars.append(isControl ? " " : scalar)
    }
    let text = String(scalars)
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// Returns `typed` in capitals. Greek capitals have no accents, except the diaeresis and the accent that
  /// distinguishes "or" from "the".
  private static func capitals(_ typed: String) -> String {
    let isGreek = typed.unicodeScalars.contains {
      (0x0370...0x03FF).contains($0.value) || (0x1F00...0x1FFF).contains($0.value)
    }
    return isGreek ? typed.uppercased(with: Locale(identifier: "el")) : typed.uppercased()
  }
}
