import Foundation

/// What is drawn of what was typed.
enum CaptionWords {
  /// The letters as asked for, without blank space around them; a newline stays one, any other control character becomes a space.
  static func prepare(_ typed: String, _ letters: CaptionLook.Letters) -> String {
    var scalars = String.UnicodeScalarView()
    // Fonts have the letters with their accents; put together from both, some take them from two fonts.
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

  /// Greek capitals have no accents, except the diaeresis and the one that tells "or" from "the".
  private static func capitals(_ typed: String) -> String {
    let isGreek = typed.unicodeScalars.contains {
      (0x0370...0x03FF).contains($0.value) || (0x1F00...0x1FFF).contains($0.value)
    }
    return isGreek ? typed.uppercased(with: Locale(identifier: "el")) : typed.uppercased()
  }
}
