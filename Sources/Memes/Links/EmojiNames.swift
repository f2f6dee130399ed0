package import Bytes

/// Emoji by their names between colons, such as `:joy:`, as memegen and chat programs read them.
package struct EmojiNames: Sendable {
  /// The maximum length of a name in scalars, which is longer than any in the list.
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
    var replaced = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == ":", let name = Self.name(before: ":", in: rest),
        let symbol = emoji.value(of: name.text)
      else {
        replaced.append(scalar)
        continue
      }
      replaced.append(contentsOf: symbol.unicodeScalars)
      rest = rest[name.end...].dropFirst()
    }
    return String(replaced)
  }

  /// - Returns: the name up to the next colon, as it is in the list; `nil` if these scalars are no name.
  private static func name(
    before colon: Unicode.Scalar, in rest: Substring.UnicodeScalarView
  ) -> (text: String, end: Substring.UnicodeScalarView.Index)? {
    // With spaces at its ends, as in "Rule: 1: …", a text between colons is no name.
    guard let end = rest.prefix(longest + 1).firstIndex(of: colon),
      let first = rest.first, first != colon, first != " ", rest[..<end].last != " "
    else { return nil }
    var text = String.UnicodeScalarView()
    for scalar in rest[..<end] {
      switch scalar {
      case " ": text.append("_")
      case "–": text.append("-")
      case "‘", "’": text.append("'")
      default:
        guard scalar.isASCII else { return nil }
        text.append(scalar)
      }
    }
    return (String(text), end)
  }
}
