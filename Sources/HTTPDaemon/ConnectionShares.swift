import HTTP

/// How many connections each network has, and each site of networks.
struct ConnectionShares {
  /// The networks of a site may have so many times as many as each of them: a site may be one customer, or the phones of a
  /// provider.
  private static let networksOfSite = 4

  private var networks: [IPAddress: Int] = [:]
  private var sites: [IPAddress: Int] = [:]

  /// By how many connections the network of an address, and its site, are above what they may have; 0 if they may have no more.
  func excess(of address: IPAddress, above most: Int) -> (network: Int, site: Int) {
    let ofSite = address.site.map { sites[$0, default: 0] - Self.networksOfSite * most }
    return (networks[address.network, default: 0] - most, ofSite ?? .min)
  }

  mutating func add(_ address: IPAddress) {
    networks[address.network, default: 0] += 1
    if let site = address.site { sites[site, default: 0] += 1 }
  }

  mutating func remove(_ address: IPAddress) {
    Self.remove(address.network, of: &networks)
    if let site = address.site { Self.remove(site, of: &sites) }
  }

  private static func remove(_ key: IPAddress, of counts: inout [IPAddress: Int]) {
    let count = counts[key, default: 0] - 1
    counts[key] = count > 0 ? count : nil
  }
}
