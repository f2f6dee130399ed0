/// The address by which this machine itself reaches a server.
enum Loopback {
  /// The address to connect to. A wildcard address becomes the loopback address.
  static func address(of host: String) -> String {
    switch host {
    case "0.0.0.0", "": "127.0.0.1"
    case "::": "::1"
    default: host
    }
  }

  /// The same address as the host of a URL (RFC 3986 §3.2.2).
  static func urlHost(for host: String) -> String {
    let address = address(of: host)
    return address.contains(":") ? "[\(address)]" : address
  }
}
