import Foundation

/// Text of any language in a header field, as encoded words (RFC 2047).
enum EncodedWords {
  /// A line with an encoded word has at most 76 characters. Behind the longest name that is used here, and with 12 for the
  /// word's frame, that leaves room for as many bytes in base64.
  private static let maximumBytes = 39

  /// The text as it is where it is short ASCII that cannot be taken for an encoded word; else encoded and folded.
  ///
  /// - Parameter name: the field's, with its colon, as far as it takes up the first line.
  static func text(_ text: String, after name: String) -> String {
    let isPlain =
      text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
      && name.utf8.count + text.utf8.count <= 76
    if isPlain { return text }
    return pieces(of: text).map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\r\n ")
  }

  /// A word holds whole characters (RFC 2047 §5); one of more bytes than a word is cut between its scalars.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = [""]
    for scalar in text.unicodeScalars {
      if pieces[pieces.count - 1].utf8.count + UTF8.width(scalar) > maximumBytes {
        pieces.append("")
      }
      pieces[pieces.count - 1].unicodeScalars.append(scalar)
    }
    return pieces
  }
}
