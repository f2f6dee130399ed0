import Foundation

/// The mail server that mail is handed to: where it is, and how to sign in.
package struct SMTPServer: Sendable {
  /// The server's address for libcurl, without an account.
  let url: String
  let account: Account?
  /// Whether nothing may be said to it in clear.
  let requiresTLS: Bool

  /// Kept out of every description and log line.
  struct Account: Sendable {
    let name: String
    let password: String
  }

  /// Why an address cannot be used. Its text is not in it, as it may hold a password.
  package struct Invalid: Error {
    package let reason: String
  }

  /// - Parameter text: `smtp://host`, with TLS by STARTTLS where the server offers it, port 587 (RFC 6409); or
  ///   `smtps://host`, with TLS from the first byte, port 465 (RFC 8314). Before the host there may be
  ///   `user:password@`, percent-encoded; then TLS is required, unless the server is this machine itself.
  package init(_ text: String) throws(Invalid) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["smtp", "smtps"].contains(scheme), let host = parts.host, !host.isEmpty,
      ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil,
      parts.port.map({ (1...65_535).contains($0) }) ?? true
    else { throw Invalid(reason: "must be smtp:// or smtps:// with a host, without path or query") }
    account = try Self.account(parts)
    url = "\(scheme)://\(host):\(parts.port ?? (scheme == "smtps" ? 465 : 587))"
    requiresTLS = scheme == "smtps" || account != nil && !Self.isThisMachine(host)
  }

  private static func account(_ parts: URLComponents) throws(Invalid) -> Account? {
    switch (parts.user, parts.password) {
    case (nil, nil): return nil
    case (let name?, let password?) where !name.isEmpty && !password.isEmpty:
      // SMTP's own separators, and what ends a C string.
      let isClean = (name + password).unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control
      }
      guard isClean else {
        throw Invalid(reason: "user and password must not have control characters")
      }
      return Account(name: name, password: password)
    default: throw Invalid(reason: "user and password are set together")
    }
  }

  private static func isThisMachine(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" || host == "::1" { return true }
    // RFC 1122 §3.2.1.3: all of 127/8.
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}
