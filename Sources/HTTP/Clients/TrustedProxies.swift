/// The proxies in front of the server that it trusts to report client addresses.
///
/// Each proxy appends the address of its own client to `X-Forwarded-For`. The client controls the entries before that.
/// So the field is read from its end, and only as far as trusted proxies wrote it. `Forwarded` (RFC 7239) is ignored: a
/// proxy sets one of the two fields and forwards the other, so the client could choose the address.
package struct TrustedProxies: Equatable, Sendable {
  /// Later entries of a longer path are ignored.
  private static let maximumHops = 16

  private let ranges: [AddressRange]

  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The address of the client that sent a request: the last address on the path that is not a trusted proxy's.
  ///
  /// - Parameter peer: the remote end of the connection.
  package func client(behind peer: String, _ headers: Headers) -> String {
    guard !isEmpty, let direct = IPAddress(peer), isTrusted(direct),
      let way = headers.combined(.xForwardedFor)
    else { return peer }
    var client = direct
    var rest = way[...]
    for _ in 0..<Self.maximumHops {
      let comma = rest.utf8.lastIndex(of: UInt8(ascii: ","))
      let entry = comma.map { rest[rest.utf8.index(after: $0)...] } ?? rest
      // A trusted proxy wrote an unreadable entry: it does not know its client, or hides it.
      guard let address = IPAddress(forwarded: entry) else { break }
      client = address
      guard isTrusted(address), let comma else { break }
      rest = rest[..<comma]
    }
    return client.description
  }

  package func isTrusted(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension IPAddress {
  /// Parses an entry of `X-Forwarded-For`. Some proxies add the port, and put an IPv6 address in brackets.
  fileprivate init?(forwarded entry: Substring) {
    let text = entry.trimmingSpaces()
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      self.init(text[text.index(after: text.startIndex)..<end])
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      self.init(text[..<colon])
    } else {
      self.init(text)
    }
  }
}
