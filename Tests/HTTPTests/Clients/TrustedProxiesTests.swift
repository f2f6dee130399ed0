import HTTP
import Testing

struct TrustedProxiesTests {
  private func client(
    _ way: String..., peer: String = "127.0.0.1", trusting ranges: [String] = ["127.0.0.1"]
  ) throws -> String {
    let proxies = TrustedProxies(try ranges.map { try #require(AddressRange($0)) })
    var headers = Headers([(HeaderName.host, "memes.example")])
    for value in way { headers.append(.xForwardedFor, try #require(HeaderValue(value))) }
    return proxies.client(behind: peer, headers)
  }

  @Test func `forwarded addresses from an untrusted peer are ignored`() throws {
    #expect(try client("203.0.113.7", trusting: []) == "127.0.0.1")
    #expect(try client("203.0.113.7", peer: "192.0.2.1") == "192.0.2.1")
    #expect(try client("203.0.113.7", peer: "") == "")
    #expect(try client() == "127.0.0.1")
  }

  @Test func `the last untrusted address is the client`() throws {
    #expect(try client("203.0.113.7") == "203.0.113.7")
    // The entries before it come from the client.
    #expect(try client("198.51.100.1, 203.0.113.7") == "203.0.113.7")
    #expect(try client("127.0.0.1, 203.0.113.7") == "203.0.113.7")
    let both = ["127.0.0.1", "10.0.0.0/8"]
    #expect(try client("198.51.100.1, 203.0.113.7, 10.1.2.3", trusting: both) == "203.0.113.7")
    #expect(try client("198.51.100.1,203.0.113.7\t,10.1.2.3 ", trusting: both) == "203.0.113.7")
    // Multiple fields are one list (RFC 9110 §5.3).
    #expect(try client("198.51.100.1", "203.0.113.7", "10.1.2.3", trusting: both) == "203.0.113.7")
    #expect(try client("10.9.9.9, 10.1.2.3", trusting: both) == "10.9.9.9")
  }

  @Test(
    arguments: [
      ("203.0.113.7:4711", "203.0.113.7"), ("[2001:db8::1]:4711", "2001:db8::1"),
      ("[2001:db8::1]", "2001:db8::1"), ("2001:DB8::1", "2001:db8::1"),
      ("::ffff:203.0.113.7", "203.0.113.7"),
    ])
  func `an entry may have a port and brackets`(_ entry: String, address: String) throws {
    #expect(try client(entry) == address)
  }

  @Test(
    arguments: [
      "", ",", "unknown", "203.0.113.7,", "203.0.113.7, unknown", "_hidden", "[2001:db8::1",
      "for=203.0.113.7", "\"203.0.113.7\"", "203.0.113.7 203.0.113.8", "::ffff:203.0.113.7:80",
      String(repeating: "1", count: 100_000), String(repeating: ",", count: 100_000),
      String(repeating: "[", count: 100_000), "203.0.113.7, ٣",
    ])
  func `an unreadable entry makes the proxy the client`(_ way: String) throws {
    #expect(try client(way) == "127.0.0.1")
  }

  @Test func `the list of forwarded addresses is followed up to a limit`() throws {
    let long = (1...5000).map { "10.0.\($0 >> 8).\($0 & 255)" }.joined(separator: ", ")
    let found = try client(long, trusting: ["127.0.0.1", "10.0.0.0/8"])
    #expect(found == "10.0.19.121")
  }
}
