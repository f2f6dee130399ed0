import Foundation

/// The mail server that accepts outgoing mail: its address and account.
package struct SMTPServer: Sendable {
  /// The URL of the server for libcurl, without the account.
  let url: String
  let account: Account?
  /// Whether to refuse connections without TLS.
  let requiresTLS: Bool

  /// Never part of a description or log line.
  struct Account: Sendable {
    let name: String
    let password: String
  }

  /// An invalid address. The error does not contain the address, because it may hold a password.
  package struct Invalid: Error {
    package let reason: String
  }

  /// - Parameter text: `smtp://host` for port 587, with STARTTLS if the server offers it (RFC 6409), or `smtps://host`
  ///   for port 465, with TLS from the first byte (RFC 8314). `user:password@` may precede the host, percent-encoded.
  ///   TLS is then required, unless the server is the local machine.
  package init(_ text: String) throws(Invalid) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["smtp", "smtps"].contains(scheme), let host = parts.host, !host.isEmpty,
      ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil,
      parts.port.map({ (1...65_535).contains($0) }) ?? true
    else {
      throw Invalid(
        reason: "must be an smtp:// or smtps:// URL with a host and without a path or query")
    }
    account = try Self.account(parts)
    url = "\(scheme)://\(host):\(parts.port ?? (scheme == "smtps" ? 465 : 587))"
    requiresTLS = scheme == "smtps" || account != nil && !Self.isThisMachine(host)
  }

  private static func account(_ parts: URLComponents) throws(Invalid) -> Account? {
    switch (parts.user, parts.password) {
    case (nil, nil): return nil
    case (let name?, let password?) where !name.isEmpty && !password.isEmpty:
      // Control characters separate SMTP commands, and NUL ends a C string.
      let isClean = (name + password).unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control
      }
      guard isClean else {
        throw Invalid(reason: "user and password must not contain control characters")
      }
      return Account(name: name, password: password)
    default: throw Invalid(reason: "user and password must be set together")
    }
  }

  private static func isThisMachine(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" || host == "::1" { return true }
    // All of 127/8 is loopback (RFC 1122 §3.2.1.3).
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}
