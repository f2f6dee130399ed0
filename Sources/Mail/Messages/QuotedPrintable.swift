import Bytes

/// Quoted-printable text (RFC 2045 §6.7), which leaves ASCII readable.
enum QuotedPrintable {
  private static let lineLength = 76

  /// - Parameter text: its line feeds become CR LF.
  static func text(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line($0) }.joined(separator: "\r\n")
  }

  private static func line(_ bytes: Substring.UTF8View) -> String {
    var result = ""
    var length = 0
    for index in bytes.indices {
      let isLast = bytes.index(after: index) == bytes.endIndex
      let word = encoded(bytes[index], isLast: isLast)
      // Reserve the last column for the equals sign of a soft line break.
      if length + word.utf8.count > lineLength - 1 {
        result += "=\r\n"
        length = 0
      }
      result += word
      length += word.utf8.count
    }
    return result
  }

  private static func encoded(_ byte: UInt8, isLast: Bool) -> String {
    switch byte {
    // Mail servers may remove a space at the end of a line.
    case UInt8(ascii: " ") where !isLast, UInt8(ascii: "!")...UInt8(ascii: "<"),
      UInt8(ascii: ">")...UInt8(ascii: "~"):
      String(UnicodeScalar(byte))
    default: "=" + Hexadecimal.pair(byte)
    }
  }
}
