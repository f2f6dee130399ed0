/// What stands for a person without a picture: the first letters of the name, on a colour of their own.
///
/// The same name gives the same, on any machine and at any time.
package struct DrawnAvatar: Hashable, Sendable {
  /// One character, or two capitals.
  package let initials: String
  package let background: Colour

  package init(username: Username, displayName: DisplayName?) {
    initials =
      displayName.flatMap { Self.initials(of: $0.text) } ?? Self.initials(of: username.text) ?? "@"
    background = Self.backgrounds[Int(Self.hash(username.text) % UInt32(Self.backgrounds.count))]
  }

  /// - Returns: `nil` where there is nothing but signs.
  private static func initials(of name: String) -> String? {
    let words = name.split { $0.isWhitespace || $0 == "_" || $0 == "-" || $0 == "." }
    let firsts = words.compactMap { word in word.first { $0.mayStandForName } }
    guard let first = firsts.first else { return nil }
    // Letters of other scripts join when they stand together, or need no second one.
    guard firsts.count > 1, let last = firsts.last, first.isCased, last.isCased else {
      return first.asInitial
    }
    return first.asInitial + last.asInitial
  }

  /// FNV-1a: the hash of Swift is another one in every process.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// On each of them white has a contrast of 4.5 at least (WCAG 2.2 §1.4.3).
  private static let backgrounds: [Colour] = [
    Colour(red: 0xB4, green: 0x23, blue: 0x18),
    Colour(red: 0xB5, green: 0x47, blue: 0x08),
    Colour(red: 0x93, green: 0x58, blue: 0x0A),
    Colour(red: 0x6B, green: 0x6A, blue: 0x10),
    Colour(red: 0x3F, green: 0x7A, blue: 0x1C),
    Colour(red: 0x15, green: 0x80, blue: 0x3D),
    Colour(red: 0x0F, green: 0x76, blue: 0x6E),
    Colour(red: 0x0E, green: 0x74, blue: 0x90),
    Colour(red: 0x03, green: 0x69, blue: 0xA1),
    Colour(red: 0x1D, green: 0x5F, blue: 0xD1),
    Colour(red: 0x4F, green: 0x46, blue: 0xE5),
    Colour(red: 0x6D, green: 0x3F, blue: 0xE0),
    Colour(red: 0x8B, green: 0x2F, blue: 0xC9),
    Colour(red: 0xA2, green: 0x1C, blue: 0xAF),
    Colour(red: 0xBE, green: 0x18, blue: 0x5D),
    Colour(red: 0x57, green: 0x60, blue: 0x6A),
  ]
}

extension Character {
  /// A family of emoji has eleven; what has more is decoration.
  private static let maximumScalars = 12

  fileprivate var mayStandForName: Bool {
    isLetter || isNumber
      || unicodeScalars.contains {
        $0.properties.isEmojiPresentation || $0.properties.generalCategory == .otherSymbol
      }
  }

  /// As a capital where there is one; a ligature by its first letter.
  fileprivate var asInitial: String {
    let capital = isLetter ? uppercased().first ?? self : self
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: capital.unicodeScalars.prefix(Self.maximumScalars))
    return String(scalars)
  }
}
