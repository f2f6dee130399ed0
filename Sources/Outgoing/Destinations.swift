package import HTTP

/// The addresses to which webhooks may be sent. Requests to others could reach services that trust this machine or its
/// network, such as the metadata of a cloud.
package struct Destinations: Sendable {
  private let allowed: [AddressRange]

  /// - Parameter allowed: exceptions from the refused addresses.
  package init(allowing allowed: [AddressRange] = []) { self.allowed = allowed }

  package func permits(_ address: IPAddress) -> Bool {
    if allowed.contains(where: { $0.contains(address) }) { return true }
    // IPv4 addresses are also compared in their IPv4-mapped form.
    return !Self.refused.contains { $0.contains(address) }
  }

  /// Whether the host is an address to which nothing may be sent. A name is resolved and checked when a request
  /// connects.
  package func refuses(host: String) -> Bool { IPAddress(host).map { !permits($0) } ?? false }

  /// The special-purpose addresses (RFC 6890 and the IANA registries) that are not globally reachable, and those that
  /// contain an IPv4 address: NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380) and IPv4-compatible ones.
  private static let refused: [AddressRange] = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32",
    "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
  ].compactMap { AddressRange($0) }
}
