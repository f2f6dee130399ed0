import Foundation
import Testing

@testable import HTTPDaemon

@Suite struct SocketAddressTests {
  private func address(v6 text: String, port: UInt16) -> SocketAddress? {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return nil }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { SocketAddress($0) }
    }
  }

  @Test func `an IPv6 address is written as in RFC 5952`() throws {
    let found = try #require(address(v6: "2001:DB8:0:0:0:0:0:1", port: 8080))
    #expect(found.host == "2001:db8::1" && found.port == 8080)
  }

  @Test func `an IPv4-mapped address is an IPv4 address`() throws {
    #expect(try #require(address(v6: "::ffff:192.0.2.7", port: 1)).host == "192.0.2.7")
    #expect(try #require(address(v6: "2001:db8::ffff", port: 1)).host == "2001:db8::ffff")
  }

  @Test func `an address of another family is nil`() {
    var address = sockaddr()
    address.sa_family = sa_family_t(AF_UNIX)
    #expect(SocketAddress(&address) == nil)
  }
}
