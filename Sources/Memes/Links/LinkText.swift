import Bytes

/// Text in the path of an address that draws a meme, written as memegen, another meme server, writes it: a space is
/// `_`, and characters that have a meaning in addresses have escapes with two characters.
///
/// In runs of `_` and of `-`, two are one such character, and a single one is a space. memegen itself replaces over the
/// whole path, and therefore reads some of its own addresses wrongly.
package enum LinkText {
  private static let escapes = zip("nqaphsblg".utf8, "\n?&%#/\\<>".utf8)
  /// For each ASCII byte the character with its name; 0 if there is none.
  private static let escaped = table(escapes.map { ($0, $1) })
  private static let names = table(escapes.map { ($1, $0) })

  private static func table(_ pairs: [(UInt8, UInt8)]) -> [UInt8] {
    var table = [UInt8](repeating: 0, count: 256)
    for (byte, value) in pairs { table[Int(byte)] = value }
    return table
  }

  /// The text of a segment that has been percent-decoded.
  package static func text(of segment: String) -> String {
    guard segment != "_" else { return "" }
    let escaped = escaped
    return segment.withUTF8Bytes { segment in
      var text: [UInt8] = []
      text.reserveCapacity(segment.count)
      var place = 0
      while place < segment.count {
        let byte = segment[place]
        place += 1
        let next = place < segment.count ? segment[place] : 0
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"):
          var count = 1
          while place < segment.count, segment[place] == byte {
            (place, count) = (place + 1, count + 1)
          }
          // The single one is before the pairs of underscores and after those of hyphens.
          if count % 2 == 1, byte == UInt8(ascii: "_") { text.append(UInt8(ascii: " ")) }
          for _ in 0..<count / 2 { text.append(byte) }
          if count % 2 == 1, byte == UInt8(ascii: "-") { text.append(UInt8(ascii: " ")) }
        case UInt8(ascii: "'") where next == UInt8(ascii: "'"):
          text.append(UInt8(ascii: "\""))
          place += 1
        case UInt8(ascii: "~") where escaped[Int(next)] != 0:
          text.append(escaped[Int(next)])
          place += 1
        default: text.append(byte)
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// The segment of a text, not percent-encoded. Reading it gives the same text, except that typographic quotes and
  /// dashes are plain, and a few texts with a tilde or two apostrophes cannot be written.
  package static func segment(of text: String) -> String {
    guard !text.isEmpty else { return "_" }
    let names = names
    return text.withUTF8Bytes { text in
      var segment: [UInt8] = []
      segment.reserveCapacity(2 * text.count)
      var place = 0
      while place < text.count {
        let byte = plain(in: text, at: &place)
        var after = place
        let next = place < text.count ? plain(in: text, at: &after) : 0
        switch byte {
        case UInt8(ascii: " "): segment.append(space(after: segment.last, before: next))
        case UInt8(ascii: "_"), UInt8(ascii: "-"): segment += [byte, byte]
        case UInt8(ascii: "\""): segment += [UInt8(ascii: "'"), UInt8(ascii: "'")]
        case UInt8(ascii: "\r") where next == UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): segment += [UInt8(ascii: "~"), UInt8(ascii: "n")]
        case _ where names[Int(byte)] != 0: segment += [UInt8(ascii: "~"), names[Int(byte)]]
        default: segment.append(byte)
        }
      }
      // Alone, it would be the empty text.
      return segment == [UInt8(ascii: "_")] ? " " : String(decoding: segment, as: UTF8.self)
    }
  }

  /// A space is `_`, unless a run would then be read in another way: behind an underscore it is `-`, and between an
  /// underscore and a hyphen it stays a space.
  private static func space(after last: UInt8?, before next: UInt8) -> UInt8 {
    guard last == UInt8(ascii: "_") else { return UInt8(ascii: "_") }
    return next == UInt8(ascii: "-") ? UInt8(ascii: " ") : UInt8(ascii: "-")
  }

  /// The byte at this place of a text in UTF-8, or the plain form of a typographic quote or dash.
  ///
  /// - Parameter place: is moved behind it.
  static func plain(in text: UnsafeBufferPointer<UInt8>, at place: inout Int) -> UInt8 {
    let byte = text[place]
    place += 1
    // U+2013, U+2018, U+2019, U+201C and U+201D.
    guard byte == 0xE2, place + 1 < text.count, text[place] == 0x80 else { return byte }
    let plain: UInt8
    switch text[place + 1] {
    case 0x93: plain = UInt8(ascii: "-")
    case 0x98, 0x99: plain = UInt8(ascii: "'")
    case 0x9C, 0x9D: plain = UInt8(ascii: "\"")
    default: return byte
    }
    place += 2
    return plain
  }
}
