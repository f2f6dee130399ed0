/// A request's target as it may stand in a log, which more people read than may know a secret.
enum LoggedTarget {
  /// What is left out leaves this.
  private static let mark = "*"

  /// The target with only those parts of its query whose names are known, and without a user's name and password. What
  /// is not visible ASCII is percent-encoded, as the client should have done.
  ///
  /// - Parameter names: of the parameters that the route reads. None of those is a secret.
  static func text(of target: String, keeping names: Set<String>) -> String {
    // Most requests have nothing to hide.
    guard !target.utf8.allSatisfy(isPlain) || target.utf8.first != UInt8(ascii: "/") else {
      return target
    }
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = visible(withoutUser(sides.first ?? ""))
    guard sides.count > 1 else { return path }
    let query = sides[1].split(separator: "&", omittingEmptySubsequences: false).map { part in
      names.contains(String(part.prefix { $0 != "=" })) ? visible(String(part)) : mark
    }
    return "\(path)?\(query.joined(separator: "&"))"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "?")
  }

  /// `http://user:password@host/path` (RFC 3986 §3.2.1) without who it is for.
  private static func withoutUser(_ path: Substring) -> String {
    guard path.utf8.first != UInt8(ascii: "/"), let scheme = path.firstRange(of: "://") else {
      return String(path)
    }
    let authority = path[scheme.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(path) }
    return path[..<scheme.upperBound] + mark + path[at...]
  }

  private static func visible(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
    return text.utf8.reduce(into: "") { result, byte in
      if (0x21...0x7E).contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
