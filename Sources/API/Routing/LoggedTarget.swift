import Bytes
import Foundation
import HTTP
import Memes

/// Removes secrets from a request target before it is logged, because many people may read a log.
enum LoggedTarget {
  /// Replaces each part that is removed.
  private static let mark = "*"

  /// The target without unknown query parameters, and without the username and password of a URL. Everything except
  /// visible ASCII is percent-encoded, as the client should have done.
  ///
  /// - Parameter names: the query parameters that the route reads. None of them is a secret.
  static func text(of target: String, keeping names: Set<String>) -> String {
    let target = withoutAccessToken(target)
    // Fast path: most requests contain nothing to remove, and every request is logged.
    if target.withUTF8Bytes({ hidesNothing($0, names) }) { return target }
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = visible(withoutUser(sides.first ?? ""))
    guard sides.count > 1 else { return path }
    let query = sides[1].split(separator: "&", omittingEmptySubsequences: false).map { part in
      names.contains(String(part.prefix { $0 != "=" })) ? visible(String(part)) : mark
    }
    return "\(path)?\(query.joined(separator: "&"))"
  }

  /// The path segment after one of these names is a token, or an ID that grants access like a token.
  private static let names: Set<String> = ["password-resets", "uploads"]

  /// The query parameters of routes that are secrets: they sign a user in, create an account, or sign an address.
  static let secretParameters: Set<String> = ["code", "state", "invitation", "link", "s"]

  /// Whether a path of this pattern contains a token.
  static func hasToken(_ pattern: RoutePattern) -> Bool {
    pattern.segments.contains {
      if case .literal(let name) = $0 { names.contains(name) } else { false }
    }
  }

  /// The target without the segments after such a name in any spelling, and without the fragment. Browsers
  /// never send a fragment.
  static func withoutToken(_ target: String) -> String {
    let whole = target.prefix { $0 != "#" }
    let path = whole.prefix { $0 != "?" }
    var isSecret = false
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      if isSecret, !segment.isEmpty { return mark }
      let name = String(decoding: String(segment).percentDecodedBytes, as: UTF8.self).lowercased()
      isSecret = isSecret || names.contains { name.hasPrefix($0) }
      // The slash after the name may be percent-encoded or replaced by another character.
      return isSecret && !names.contains(name) ? mark : String(segment)
    }
    return segments.joined(separator: "/") + whole[path.endIndex...]
      + (whole.endIndex < target.endIndex ? "#\(mark)" : "")
  }

  /// The target without the segments and query parameters that contain an access token.
  private static func withoutAccessToken(_ target: String) -> String {
    guard AccessTokenText.occurs(inURL: target) else { return target }
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let separators: [Character] = ["/", "&"]
    return zip(sides, separators).map { side, separator in
      side.split(separator: separator, omittingEmptySubsequences: false)
        .map { AccessTokenText.occurs(inURL: String($0)) ? mark : String($0) }.joined(
          separator: String(separator))
    }.joined(separator: "?")
  }

  private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  private static func hidesNothing(
    _ target: UnsafeBufferPointer<UInt8>, _ names: Set<String>
  ) -> Bool {
    guard target.first == UInt8(ascii: "/"), target.allSatisfy(isVisible) else { return false }
    var rest = target.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: "&") }
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      guard names.contains(String(decoding: name, as: UTF8.self)) else { return false }
      rest = rest[part.endIndex...].dropFirst()
    }
    return true
  }

  /// Removes the user from `http://user:password@host/path` (RFC 3986 §3.2.1).
  private static func withoutUser(_ path: Substring) -> String {
    guard path.utf8.first != UInt8(ascii: "/"), let scheme = path.firstRange(of: "://") else {
      return String(path)
    }
    let authority = path[scheme.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(path) }
    return path[..<scheme.upperBound] + mark + path[at...]
  }

  /// Percent-encodes everything except visible ASCII. Unknown methods may also contain any bytes.
  static func visible(_ text: String) -> String {
    if text.utf8.allSatisfy(isVisible) { return text }
    return text.utf8.reduce(into: "") { result, byte in
      if isVisible(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
