extension String {
  /// The text in its stored form: lines end with LF, whatever the client sent (HTML forms send CR LF), and each tab is
  /// replaced with a space.
  ///
  /// - Throws: ``InvalidValue/controlCharacter`` for other characters of Unicode's category Cc. Joiners and directional
  ///   marks do not belong to it.
  func keptAsTyped() throws(InvalidValue) -> String {
    guard utf8.contains(where: \.mayBeControl) else { return self }
    var kept = UnicodeScalarView()
    var previous: UnicodeScalar?
    for scalar in unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\r": kept.append("\n")
      case "\n": if previous != "\r" { kept.append("\n") }
      case "\t": kept.append(" ")
      default:
        guard scalar.properties.generalCategory != .control else { throw .controlCharacter }
        kept.append(scalar)
      }
    }
    return String(kept)
  }

  /// The text with a space for each control character that ``keptAsTyped()`` would reject.
  package var withoutControls: String {
    var plain = UnicodeScalarView()
    for scalar in unicodeScalars {
      let isKept =
        scalar.properties.generalCategory != .control || "\r\n\t".unicodeScalars.contains(scalar)
      plain.append(isKept ? scalar : " ")
    }
    return String(plain)
  }
}

extension UInt8 {
  /// Whether the byte is a control character in UTF-8, or begins one: U+0080 to U+009F have two bytes.
  fileprivate var mayBeControl: Bool { self < 0x20 && self != 0x0A || self == 0x7F || self == 0xC2 }
}
