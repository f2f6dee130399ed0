import OpenID
import Testing

struct AdminClaimTests {
  @Test func `a claim has a name, and may have a value`() throws {
    let groups = try #require(AdminClaim("groups=meme-admins=x"))
    #expect(groups.name == "groups" && groups.value == "meme-admins=x")
    let flag = try #require(AdminClaim("is_admin"))
    #expect(flag.name == "is_admin" && flag.value == nil)
    for text in ["", "=", "=x", "groups="] { #expect(AdminClaim(text) == nil) }
  }

  @Test func `an issuer has https, or is on this machine`() {
    for text in [
      "https://login.example", "https://login.example/realms/x/", "http://127.0.0.1:9000",
      "http://localhost/x", "http://[::1]:1",
    ] {
      #expect(OpenIDIssuer(text) != nil, "\(text)")
    }
    for text in [
      "", "login.example", "http://login.example", "https://", "https://a@login.example",
      "https://login.example?x", "https://login.example#x", "ftp://127.0.0.1", "https://a\\b",
      "http://127.0.0.1.evil.example", "https://login.example/\n",
    ] {
      #expect(OpenIDIssuer(text) == nil, "\(text)")
    }
  }
}
