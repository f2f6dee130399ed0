package import Bytes

/// Emoji by their names between colons, such as `:joy:`, as memegen and chat programs read them.
package struct EmojiNames: Sendable {
  /// The maximum length of a name in characters, which is longer than any in the list.
  private static let longest = 80

  private let emoji: SortedLines

  /// - Parameter list: a line for each name: the name, a tab and the emoji, sorted by the bytes of the names.
  package init(_ list: Bytes) { emoji = SortedLines(list) }

  /// The text with an emoji in place of each known name and its colons.
  ///
  /// An underscore of a name may be a space, because `_` is one in addresses. Its hyphens and apostrophes may be
  /// typographic. So a text is not read in another way after ``LinkText`` has written it.
  package func replacingNames(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
    return text.withUTF8Bytes { text in
      var replaced: [UInt8] = []
      replaced.reserveCapacity(text.count)
      var place = 0
      while place < text.count {
        let byte = text[place]
        place += 1
        guard byte == UInt8(ascii: ":"), let name = Self.name(in: text, at: place),
          let symbol = emoji.value(of: name.text)
        else {
          replaced.append(byte)
          continue
        }
        replaced.append(contentsOf: symbol.utf8)
        place = name.end + 1
      }
      return String(decoding: replaced, as: UTF8.self)
    }
  }

  /// - Returns: the name from this place to the next colon, as it is in the list; `nil` if this is no name.
  private static func name(
    in text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (text: String, end: Int)? {
    var name: [UInt8] = []
    var place = start
    while place < text.count, text[place] != UInt8(ascii: ":") {
      let byte = LinkText.plain(in: text, at: &place)
      guard byte < 0x80, name.count < longest else { return nil }
      name.append(byte == UInt8(ascii: " ") ? UInt8(ascii: "_") : byte)
    }
    // With spaces at its ends, as in "Rule: 1: …", a text between colons is no name.
    guard place < text.count, place > start, text[start] != UInt8(ascii: " "),
      text[place - 1] != UInt8(ascii: " ")
    else { return nil }
    return (String(decoding: name, as: UTF8.self), place)
  }
}
