/// The addresses that share a prefix (RFC 4632 §3.1).
package struct AddressRange: Equatable, Sendable {
  private let first: IPAddress
  private let mask: IPAddress

  /// Parses `10.0.0.0/8`, `2001:db8::/32`, or a single address.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
    // An IPv4 address has 96 fixed bits in front. Its prefix length only includes them if it is written as IPv6.
    let own = address.isIPv4 && !(parts.first?.contains(":") ?? false) ? 96 : 0
    var bits = 128
    if parts.count > 1 {
      guard let count = Int(parts[1]), (0...(128 - own)).contains(count),
        parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      bits = own + count
    }
    mask = IPAddress(
      // A shift by the full width or more yields 0.
      high: bits >= 64 ? .max : ~(UInt64.max >> UInt64(bits)),
      low: bits <= 64 ? 0 : ~(UInt64.max >> UInt64(bits - 64)))
    first = IPAddress(high: address.high & mask.high, low: address.low & mask.low)
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.high & mask.high == first.high && address.low & mask.low == first.low
  }
}
