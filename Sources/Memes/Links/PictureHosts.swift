/// The servers from which memes by address may have their picture.
package struct PictureHosts: Sendable, Equatable {
  /// A host without a port is asked with HTTPS at the usual port, one with a port also with HTTP.
  private struct Host: Hashable {
    let name: String
    let port: Int?
  }

  package static let none = PictureHosts([])

  private let hosts: Set<Host>

  private init(_ hosts: Set<Host>) { self.hosts = hosts }

  /// Parses names or addresses of hosts, each with a port or without, separated by commas.
  ///
  /// - Returns: `nil` if one of them is none.
  package init?(_ text: String) {
    var hosts: Set<Host> = []
    for part in text.split(separator: ",") {
      let name = part.filter { $0 != " " }.lowercased()
      guard let url = try? RemoteURL("https://\(name)"), url.text == "https://\(name)",
        !name.contains(where: { "/?*".contains($0) })
      else { return nil }
      hosts.insert(Host(name: url.host, port: url.port))
    }
    self.init(hosts)
  }

  package var isEmpty: Bool { hosts.isEmpty }

  package func permits(_ url: RemoteURL) -> Bool {
    let port = url.port ?? (url.text.hasPrefix("https:") ? nil : 80)
    return hosts.contains(Host(name: url.host.lowercased(), port: port))
  }
}
