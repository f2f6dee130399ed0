import HTTP

/// The number of connections of each network, and of each site (a group of networks).
struct ConnectionShares {
  /// How many times the connections of one network a site may have. A site may be a single
  /// customer, or the phones of a mobile provider.
  private static let networksOfSite = 4

  private var networks: [IPAddress: Int] = [:]
  private var sites: [IPAddress: Int] = [:]

  /// By how many connections an address's network and its site are above their
  /// limits. 0 means that the limit is reached.
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
