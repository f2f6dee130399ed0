import Foundation

/// An IPv6 address, or an IPv4 address in its IPv4-mapped IPv6 form (RFC 4291 §2.5.5.2). So both
/// notations of an address compare as equal.
package struct IPAddress: Hashable, Sendable {
  /// The first half of the bits, which identifies a network.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Parses `192.0.2.7` or `2001:db8::1`.
  ///
  /// - Returns: `nil` if the text is not an address, or has a zone.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    var quarter: UInt32 = 0
    if inet_pton(AF_INET, String(text), &quarter) == 1 {
      self.init(high: 0, low: 0xFFFF << 32 | UInt64(UInt32(bigEndian: quarter)))
    } else if inet_pton(AF_INET6, String(text), &halves) == 1 {
      self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    } else {
      return nil
    }
  }

  package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  package var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// The part that identifies a client: the whole IPv4 address, or the network of an IPv6 address. A client with one
  /// address of an IPv6 network can use any other address of that network (RFC 4291 §2.5.4).
  package var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// The first 48 bits of an IPv6 address, the most that one customer usually gets (RFC 6177 §2); `nil` for IPv4.
  package var site: IPAddress? { isIPv4 ? nil : IPAddress(high: high & ~0xFFFF, low: 0) }
}

extension IPAddress: CustomStringConvertible {
  /// `192.0.2.7`, or an IPv6 address in the notation of RFC 5952.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    if isIPv4 {
      var quarter = UInt32(truncatingIfNeeded: low).bigEndian
      inet_ntop(AF_INET, &quarter, &text, socklen_t(text.count))
    } else {
      var halves = (high.bigEndian, low.bigEndian)
      inet_ntop(AF_INET6, &halves, &text, socklen_t(text.count))
    }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}
