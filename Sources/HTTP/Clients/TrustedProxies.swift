/// The proxies in front of the server, whose word is taken for whom they ask for.
///
/// Each proxy adds to `X-Forwarded-For` the address that asked it. What stands there already is whatever the client wrote, so
/// it is read from its end, and only as far as trusted proxies wrote it. `Forwarded` (RFC 7239) is not read: a proxy sets one
/// of the two and passes on the other, and then the client would have the choice.
package struct TrustedProxies: Equatable, Sendable {
  /// A request that went through more is looked at no further.
  private static let maximumHops = 16

  private let ranges: [AddressRange]

  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The address of the client that sent a request: the last one on its way here that is not a trusted proxy's.
  ///
  /// - Parameter peer: the other end of the connection.
  package func client(behind peer: String, _ headers: Headers) -> String {
    guard !isEmpty, let direct = IPAddress(peer), isTrusted(direct),
      let way = headers.combined(.xForwardedFor)
    else { return peer }
    var client = direct
    var rest = way[...]
    for _ in 0..<Self.maximumHops {
      let comma = rest.utf8.lastIndex(of: UInt8(ascii: ","))
      let entry = comma.map { rest[rest.utf8.index(after: $0)...] } ?? rest
      // A trusted proxy wrote what cannot be read: it does not know, or does not tell, who asked it.
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
  /// Reads an entry of `X-Forwarded-For`. Some proxies add the port, and then brackets around an IPv6 address.
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
