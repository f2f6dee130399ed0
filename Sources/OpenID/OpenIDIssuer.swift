import Foundation

/// The issuer of an OpenID Connect provider, which is also the beginning of the URL of its discovery document.
package struct OpenIDIssuer: Sendable, Equatable {
  /// As the operator wrote it. The provider must name exactly this text (OpenID Connect Discovery §4.3).
  package let text: String
  /// The host, for users who are to recognize the provider.
  package let host: String
  /// Whether the issuer has plain HTTP. It is then on this machine, and its other URLs may have plain HTTP too.
  let isPlain: Bool

  /// - Returns: `nil` unless the text is an https URL without query, fragment and user, or such an http URL of this
  ///   machine.
  package init?(_ text: String) {
    guard let url = ProviderURL(text), !text.contains("?") else { return nil }
    (self.text, host, isPlain) = (text, url.host, url.isPlain)
  }

  /// OpenID Connect Discovery §4.1: a slash at the end of the issuer is left out.
  var discoveryURL: String {
    (text.hasSuffix("/") ? String(text.dropLast()) : text) + "/.well-known/openid-configuration"
  }
}

/// A URL of a provider: https, or http on this machine.
struct ProviderURL: Sendable, Equatable {
  private static let maximumBytes = 2048

  let text: String
  let host: String
  let isPlain: Bool

  /// - Returns: `nil` if the text is another URL, or none. URLs with a user, a fragment, or characters that parsers
  ///   treat differently are rejected.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy(Self.isPlainCharacter),
      let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil, parts.fragment == nil
    else { return nil }
    switch parts.scheme {
    case "https": isPlain = false
    case "http" where Self.isLoopback(host): isPlain = true
    default: return nil
    }
    (self.text, self.host) = (text, host)
  }

  private static func isPlainCharacter(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !#"\"<>^`{|}"#.utf8.contains(byte)
  }

  private static func isLoopback(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
  }
}
