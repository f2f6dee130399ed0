/// Addresses that begin with the same bits (RFC 4632 §3.1).
package struct AddressRange: Equatable, Sendable {
  private let first: IPAddress
  private let mask: IPAddress

  /// Reads `10.0.0.0/8`, `2001:db8::/32`, or an address alone.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
    // The 96 bits before an IPv4 address are always the same. Written as IPv6, they are counted by who wrote it.
    let own = address.isIPv4 && !(parts.first?.contains(":") ?? false) ? 96 : 0
    var bits = 128
    if parts.count > 1 {
      guard let count = Int(parts[1]), (0...(128 - own)).contains(count),
        parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      bits = own + count
    }
    mask = IPAddress(
      // A shift by all bits or more leaves none.
      high: bits >= 64 ? .max : ~(UInt64.max >> UInt64(bits)),
      low: bits <= 64 ? 0 : ~(UInt64.max >> UInt64(bits - 64)))
    first = IPAddress(high: address.high & mask.high, low: address.low & mask.low)
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.high & mask.high == first.high && address.low & mask.low == first.low
  }
}
