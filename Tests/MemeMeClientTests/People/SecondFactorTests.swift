import Foundation
import MemeMeClient
import Memes
import Support
import Testing
import mememe

struct SecondFactorTests {
  @Test func `a second factor is turned on, used, renewed and turned off`() async throws {
    try await withLiveServer { server in
      let ada = server.client(try await server.signUp("ada"))
      #expect(try await ada.account().secondFactor == nil)
      let begun = try await ada.beginSecondFactor(password: TestServer.password)
      #expect(!"\(begun)".contains(begun.secret.secret))
      #expect(begun.otpauthUrl.secret.contains("secret=\(begun.secret.secret)&"))
      let code = try TestApp(begun.secret.secret).code(at: .now())
      let codes = try await ada.turnOnSecondFactor(code: code, password: TestServer.password)
      #expect(codes.count == 10)
      #expect(try await ada.account().secondFactor?.recoveryCodes == 10)
      #expect(await failure { _ = try await ada.beginSecondFactor() } == "second-factor-on")

      let visitor = server.client()
      func signIn(_ code: String?) async throws -> SignedIn {
        try await visitor.signIn("ada", password: TestServer.password, code: code)
      }
      #expect(await failure { _ = try await signIn(nil) } == "code-required")
      #expect(await failure { _ = try await signIn(code) } == "invalid-code")
      #expect(try await signIn(codes[0].secret).user.secondFactor?.recoveryCodes == 9)
      let token = try await ada.makeAccessToken("x", scopes: [.read], code: codes[1].secret)
      #expect(token.accessToken.name == "x")
      _ = try await ada.linkApp("y", code: codes[2].secret)
      let admin = server.client(server.adminToken)
      #expect(try await admin.account(of: "ada").secondFactor?.recoveryCodes == 7)

      let fresh = try await ada.renewRecoveryCodes(
        code: codes[3].secret, password: TestServer.password)
      #expect(Set(fresh).isDisjoint(with: codes) && fresh.count == 10)
      try await ada.turnOffSecondFactor(code: fresh[0].secret, password: TestServer.password)
      #expect(try await signIn(nil).user.secondFactor == nil)
    }
  }
}
