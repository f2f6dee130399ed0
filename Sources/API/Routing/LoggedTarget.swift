/// A request's target as it may stand in a log, which more people read than may know a secret.
enum LoggedTarget {
  /// What is left out leaves this.
  private static let mark = "*"

  /// The target with only those parts of its query whose names are known, and without a user's name and password.
  ///
  /// - Parameter names: of the parameters that the route reads. None of those is a secret.
  static func text(of target: String, keeping names: Set<String>) -> String {
    // Most requests have nothing to hide.
    guard target.utf8.first != UInt8(ascii: "/") || target.utf8.contains(UInt8(ascii: "?")) else {
      return target
    }
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = withoutUser(sides.first ?? "")
    guard sides.count > 1 else { return path }
    let query = sides[1].split(separator: "&", omittingEmptySubsequences: false).map { part in
      names.contains(String(part.prefix { $0 != "=" })) ? String(part) : mark
    }
    return "\(path)?\(query.joined(separator: "&"))"
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
}
