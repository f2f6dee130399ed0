/// XML 1.0 that interpolated text cannot break.
///
/// Literals are markup. Interpolated values are escaped unless they are `XML`, and lose the characters that no XML
/// document may contain.
///
///     let title: XML = "<title>\(anything)</title>"
struct XML: Sendable {
  private(set) var text: String
}

extension Sequence<XML> {
  func joined() -> XML { XML(text: map(\.text).joined()) }
}

extension XML: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ xml: XML) { text += xml.text }

    mutating func appendInterpolation(_ plain: some StringProtocol) {
      for character in plain.unicodeScalars where Self.isAllowed(character) {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        // In text, the delimiter of CDATA sections is an error (XML 1.0 §2.4).
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&apos;"
        // Parsers normalize these in attributes, and the last one also in text (XML 1.0 §2.11, §3.3.3).
        case "\t": text += "&#9;"
        case "\n": text += "&#10;"
        case "\r": text += "&#13;"
        default: text.unicodeScalars.append(character)
        }
      }
    }

    /// The production `Char` of XML 1.0 §2.2. There is no way to escape other characters.
    private static func isAllowed(_ character: Unicode.Scalar) -> Bool {
      switch character.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
      default: false
      }
    }
  }

  init(stringLiteral literal: String) { text = literal }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}
