import MemeMeClient
import Support
import Testing

struct IdentityTests {
  @Test func `a user lists and unlinks identities`() async throws {
    let provider = try OpenIDTestProvider()
    try await withLiveServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      let token = try #require(browser.cookies["mememe"])
      let ada = server.client(token)
      let identity = try #require(try await ada.identities().first)
      #expect(identity.issuer == provider.issuer && identity.subject == "1")
      #expect(identity.lastUsedAt == identity.createdAt)
      #expect(
        await failure { try await ada.unlinkIdentity(identity.id) } == "last-way-to-sign-in")
      #expect(try await ada.identities() == [identity])
    }
  }
}
