/// The generated avatar of a user without a picture: the initials on a background color.
///
/// The same name always gives the same avatar, on any machine.
package struct DrawnAvatar: Hashable, Sendable {
  /// One character, or two capital letters.
  package let initials: String
  package let background: Color

  package init(username: Username, displayName: DisplayName?) {
    initials =
      displayName.flatMap { Self.initials(of: $0.text) } ?? Self.initials(of: username.text) ?? "@"
    background = Self.backgrounds[Int(Self.hash(username.text) % UInt32(Self.backgrounds.count))]
  }

  /// - Returns: `nil` if the name has no letters, digits or symbols.
  private static func initials(of name: String) -> String? {
    let words = name.split { $0.isWhitespace || $0 == "_" || $0 == "-" || $0 == "." }
    let firsts = words.compactMap { word in word.first { $0.mayStandForName } }
    guard let first = firsts.first else { return nil }
    // In other scripts, adjacent letters may join, or one letter is enough.
    guard firsts.count > 1, let last = firsts.last, first.isCased, last.isCased else {
      return first.asInitial
    }
    return first.asInitial + last.asInitial
  }

  /// FNV-1a, because Swift's hash differs in every process.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// White has a contrast of at least 4.5 on each of them (WCAG 2.2 §1.4.3).
  private static let backgrounds: [Color] = [
    Color(red: 0xB4, green: 0x23, blue: 0x18),
    Color(red: 0xB5, green: 0x47, blue: 0x08),
    Color(red: 0x93, green: 0x58, blue: 0x0A),
    Color(red: 0x6B, green: 0x6A, blue: 0x10),
    Color(red: 0x3F, green: 0x7A, blue: 0x1C),
    Color(red: 0x15, green: 0x80, blue: 0x3D),
    Color(red: 0x0F, green: 0x76, blue: 0x6E),
    Color(red: 0x0E, green: 0x74, blue: 0x90),
    Color(red: 0x03, green: 0x69, blue: 0xA1),
    Color(red: 0x1D, green: 0x5F, blue: 0xD1),
    Color(red: 0x4F, green: 0x46, blue: 0xE5),
    Color(red: 0x6D, green: 0x3F, blue: 0xE0),
    Color(red: 0x8B, green: 0x2F, blue: 0xC9),
    Color(red: 0xA2, green: 0x1C, blue: 0xAF),
    Color(red: 0xBE, green: 0x18, blue: 0x5D),
    Color(red: 0x57, green: 0x60, blue: 0x6A),
  ]
}

extension Character {
  /// A family emoji has eleven scalars; longer characters are decorated.
  private static let maximumScalars = 12

  fileprivate var mayStandForName: Bool {
    isLetter || isNumber
      || unicodeScalars.contains {
        $0.properties.isEmojiPresentation || $0.properties.generalCategory == .otherSymbol
      }
  }

  /// The uppercase form if there is one, or the first letter of a ligature.
  fileprivate var asInitial: String {
    let capital = isLetter ? uppercased().first ?? self : self
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: capital.unicodeScalars.prefix(Self.maximumScalars))
    return String(scalars)
  }
}
