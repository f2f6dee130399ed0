import Foundation

/// The address and the port of one end of a connection.
struct SocketAddress {
  /// `127.0.0.1` or `::1`. An IPv4 address that arrives through an IPv6 socket is written in IPv4 form.
  let host: String
  let port: UInt16

  /// - Returns: `nil` if the address is neither IPv4 nor IPv6.
  init?(_ address: UnsafePointer<sockaddr>) {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      var internet = raw.loadUnaligned(as: sockaddr_in.self)
      inet_ntop(AF_INET, &internet.sin_addr, &text, socklen_t(text.count))
      port = UInt16(bigEndian: internet.sin_port)
    case AF_INET6:
      var internet = raw.loadUnaligned(as: sockaddr_in6.self)
      inet_ntop(AF_INET6, &internet.sin6_addr, &text, socklen_t(text.count))
      port = UInt16(bigEndian: internet.sin6_port)
    default: return nil
    }
    let host = text.withUnsafeBufferPointer { text in
      text.baseAddress.map { String(cString: $0) } ?? ""
    }
    let mapped = "::ffff:"
    self.host =
      host.hasPrefix(mapped) && host.utf8.contains(UInt8(ascii: "."))
      ? String(host.dropFirst(mapped.utf8.count)) : host
  }
}
