import Memes
import Testing

struct PictureHostsTests {
  @Test(arguments: [
    ("https://example.org/a.jpg", true), ("https://EXAMPLE.org/a.jpg?b=c", true),
    ("http://example.org/a.jpg", false), ("https://example.org:8443/a.jpg", false),
    ("https://a.example.org/a.jpg", false), ("https://example.org.evil.example/", false),
    ("https://cdn.example:8443/a.jpg", true), ("http://cdn.example:8443/a.jpg", true),
    ("https://cdn.example/a.jpg", false), ("https://[2001:db8::1]/a.jpg", true),
    ("https://example.org:443/a.jpg", true), ("https://usual.example/", true),
    ("http://plain.example/", true), ("http://plain.example:80/", true),
    ("https://plain.example/", false), ("http://usual.example/", false),
  ])
  func `a host is permitted with its port`(url: String, isPermitted: Bool) throws {
    let hosts = try #require(
      PictureHosts(
        "example.org, CDN.example:8443,[2001:db8::1],usual.example:443,plain.example:80"))
    #expect(hosts.permits(try RemoteURL(url)) == isPermitted)
  }

  @Test(arguments: [
    "https://example.org", "example.org/path", "a b,?", "x@example.org", "example.org:0", "*",
    "example.org:99999", "exa mple.org/", "#",
  ])
  func `what is no host is refused`(text: String) { #expect(PictureHosts(text) == nil) }

  @Test func `no hosts are the default`() throws {
    #expect(PictureHosts.none.isEmpty)
    #expect(!PictureHosts.none.permits(try RemoteURL("https://example.org/")))
  }
}
