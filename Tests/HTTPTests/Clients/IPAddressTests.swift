import HTTP
import Testing

struct IPAddressTests {
  @Test(
    arguments: [
      ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
      ("::FFFF:c000:0207", "192.0.2.7", "192.0.2.7"), ("::1", "::1", "::"),
      ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
      ("0.0.0.0", "0.0.0.0", "0.0.0.0"),
    ])
  func `an address is the same however it is written`(
    _ text: String, written: String, network: String
  ) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == written)
    #expect(address.network.description == network)
    #expect(IPAddress(written) == address)
  }

  @Test func `the site of an IPv6 address is its first 48 bits`() throws {
    #expect(IPAddress("2001:db8:1:2:3:4:5:6")?.site == IPAddress("2001:db8:1::"))
    #expect(IPAddress("2001:db8:1:ffff::")?.site == IPAddress("2001:db8:1::"))
    #expect(IPAddress("2001:db8:2::")?.site != IPAddress("2001:db8:1::"))
    #expect(try #require(IPAddress("192.0.2.7")).site == nil)
    #expect(try #require(IPAddress("::ffff:192.0.2.7")).site == nil)
  }

  @Test(
    arguments: [
      "", " ", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "1.2.3.4\u{0}", "::g",
      "1:2:3:4:5:6:7", "fe80::1%eth0", "[::1]", "localhost", "١.٢.٣.٤",
      String(repeating: "1", count: 1 << 16), "::ffff:1.2.3.4:80",
    ])
  func `an invalid address is rejected`(_ text: String) { #expect(IPAddress(text) == nil) }

  @Test func `a range contains the addresses with its prefix`() throws {
    func holds(_ range: String, _ address: String) throws -> Bool {
      try #require(AddressRange(range)).contains(try #require(IPAddress(address)))
    }
    #expect(try holds("10.0.0.0/8", "10.255.0.1"))
    #expect(try !holds("10.0.0.0/8", "11.0.0.1"))
    #expect(try holds("10.1.2.3/8", "10.9.9.9"))
    #expect(try holds("127.0.0.1", "127.0.0.1") && !holds("127.0.0.1", "127.0.0.2"))
    #expect(try holds("127.0.0.1", "::ffff:127.0.0.1"))
    #expect(try holds("::ffff:10.0.0.0/104", "10.1.1.1"))
    #expect(try holds("0.0.0.0/0", "203.0.113.9") && !holds("0.0.0.0/0", "2001:db8::1"))
    #expect(try holds("2001:db8::/32", "2001:db8:ffff::1"))
    #expect(try !holds("2001:db8::/33", "2001:db8:ffff::1"))
    #expect(
      try holds("2001:db8::/64", "2001:db8::ffff") && !holds("2001:db8::/65", "2001:db8:0:0:8000::")
    )
    #expect(try holds("2001:db8::1/128", "2001:db8::1") && !holds("2001:db8::1", "2001:db8::2"))
    #expect(try holds("::/0", "2001:db8::1"))
  }

  @Test(
    arguments: [
      "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8",
      "proxy.example", "10.0.0.0/99999999999999999999", "10.0.0.0 /8",
    ])
  func `an invalid range is rejected`(_ text: String) { #expect(AddressRange(text) == nil) }
}
