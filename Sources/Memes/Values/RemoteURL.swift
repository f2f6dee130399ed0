import Foundation

/// An address of another server that a user names: `http` or `https`, without credentials and fragment.
package struct RemoteURL: Hashable, Sendable {
  package static let maximumBytes = 2048

  package let text: String
  /// The name or address of the host, without brackets.
  package let host: String
  /// `nil` if it is left out, or the usual one of the scheme.
  package let port: Int?

  package init(_ text: String) throws(InvalidValue) {
    guard text.utf8.count <= Self.maximumBytes,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"\"<>^`{|}"#.utf8.contains($0) }),
      let parts = URLComponents(string: text), let scheme = parts.scheme,
      ["http", "https"].contains(scheme), text.hasPrefix("\(scheme)://"),
      let host = parts.host, !host.isEmpty, host.utf8.count <= 253,
      parts.user == nil, parts.password == nil, parts.fragment == nil,
      parts.port.map({ (1...65535).contains($0) }) ?? true
    else {
      throw InvalidValue(
        code: "not-a-url",
        message:
          "Must be a URL like https://example.org/name, in ASCII, without credentials and fragment."
      )
    }
    self.text = text
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
  }

  /// Creates an address that was valid when it was stored.
  package init(stored text: String) {
    self.text = text
    let parts = URLComponents(string: text)
    (host, port) = (parts?.host ?? "", parts?.port)
  }
}
