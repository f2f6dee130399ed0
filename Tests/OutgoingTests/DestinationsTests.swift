import HTTP
import Outgoing
import Testing

struct DestinationsTests {
  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.2.1", "198.18.0.1", "224.0.0.1",
    "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::7f00:1",
    "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "fc00::1",
    "fd12::1",
    "fe80::1", "ff02::1",
  ])
  func `addresses of private and special networks are refused`(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(!Destinations().permits(address))
    #expect(Destinations().refuses(host: text))
  }

  @Test(arguments: [
    "1.1.1.1", "93.184.215.14", "100.63.255.255", "100.128.0.1", "172.32.0.1", "192.0.1.1",
    "::ffff:1.1.1.1", "2606:4700::1111", "2a00:1450:4001::200e",
  ])
  func `public addresses are permitted`(_ text: String) throws {
    #expect(Destinations().permits(try #require(IPAddress(text))))
    #expect(!Destinations().refuses(host: text))
  }

  @Test func `the operator can allow ranges`() throws {
    let range = try #require(AddressRange("10.0.0.0/16"))
    let destinations = Destinations(allowing: [range])
    #expect(destinations.permits(try #require(IPAddress("10.0.3.4"))))
    #expect(destinations.permits(try #require(IPAddress("::ffff:10.0.3.4"))))
    #expect(!destinations.permits(try #require(IPAddress("10.1.3.4"))))
  }

  @Test func `a name is not refused before it is resolved`() {
    #expect(!Destinations().refuses(host: "localhost"))
  }
}
