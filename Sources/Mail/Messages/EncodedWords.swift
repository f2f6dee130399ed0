import Foundation

/// Encodes text of any language for a header field, as encoded words (RFC 2047).
enum EncodedWords {
  /// The maximum number of text bytes per word. A line with an encoded word has at most 76 characters. The longest
  /// field name used here and the 12 characters around each word leave room for 39 bytes in base64.
  private static let maximumBytes = 39

  /// Returns short ASCII text unchanged, unless it could be mistaken for an encoded
  /// word. Encodes and folds any other text.
  ///
  /// - Parameter name: the name of the field with its colon, which precedes the text on the first line.
  static func text(_ text: String, after name: String) -> String {
    let isPlain =
      text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
      && name.utf8.count + text.utf8.count <= 76
    if isPlain { return text }
    return pieces(of: text).map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\r\n ")
  }

  /// Splits the text between Unicode scalars, because a word must contain whole characters (RFC 2047 §5).
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
