import Foundation
import MemeMeClient
import Memes
import Support
import Testing
import mememe

struct AccessTokenTests {
  @Test func `access tokens are made, used, listed, kept and deleted`() async throws {
    try await withLiveServer { server in
      let ada = server.client(try await server.signUp("ada"))
      let end = Date(timeIntervalSinceNow: 3600)
      let made = try await ada.makeAccessToken("backup", scopes: [.read], expiresAt: end)
      #expect(made.accessToken.name == "backup" && made.accessToken.scopes == [.read])
      let expiry = try #require(made.accessToken.expiresAt)
      #expect(abs(expiry.timeIntervalSince(end)) < 0.01)
      #expect(!"\(made)".contains(made.token.secret))
      let app = try await ada.linkApp("a cat app", password: TestServer.password)
      #expect(app.accessToken.name == "a cat app" && app.accessToken.scopes == [.read, .write])
      #expect(try await ada.accessTokens() == [app.accessToken, made.accessToken])

      let script = server.client(made.token.secret)
      #expect(try await script.account().username == "ada")
      #expect(await failure { try await script.signOutEverywhere() } == "forbidden")
      #expect(await failure { try await script.follow("ada") } == "insufficient-scope")
      try await ada.deleteAccessToken(made.accessToken.id)
      #expect(await failure { _ = try await script.account() } == "unauthorized")

      try await ada.signOutEverywhere(keepingAccessTokens: true)
      #expect(try await server.client(app.token.secret).account().username == "ada")
      try await server.client(try await server.token("ada")).signOutEverywhere()
      #expect(
        await failure { _ = try await server.client(app.token.secret).account() } == "unauthorized")
    }
  }
}
