import Foundation
import Memes
import Support
import Testing
import mememe

/// Sign-in by an OpenID Connect provider: accounts, identities and roles.
struct SingleSignOnAccountTests {
  @Test(arguments: [RegistrationMode.closed, .invite])
  func `where registration is not open, an unknown identity makes no account`(
    mode: RegistrationMode
  ) async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({
      try provider.use(in: &$0)
      $0.registration = mode
    }) { server in
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(403, problem: "registration-closed")
      let wrong = try await browser.signOn("/oidc/start?invitation=unknown")
      #expect(
        wrong.json.code.text == (mode == .closed ? "registration-closed" : "invitation-invalid"))
      try await server.get("/users/ada").expect(404)
    }
  }

  @Test func `an invitation makes one account, with its role`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({
      try provider.use(in: &$0)
      $0.registration = .invite
    }) { server in
      let made = try await server.json(
        "POST", "/invitations", #"{"role":"admin","email":"ada@example.org"}"#,
        token: server.adminToken
      ).expect(201)
      let code = try #require(made.json.code.text)
      try await provider.set(#"{"claims": {"sub": "2", "email": "eve@example.org"}}"#)
      var eve = TestBrowser(server, provider)
      try await eve.signOn("/oidc/start?invitation=\(code)")
        .expect(422, problem: "invitation-invalid")
      try await provider.set("{}")
      var ada = TestBrowser(server, provider)
      try await ada.signOn("/oidc/start?invitation=\(code)").expect(302)
      #expect(try await ada.me().role.text == "admin")
      try await provider.set(#"{"claims": {"sub": "2", "email": "ada2@example.org"}}"#)
      try await eve.signOn("/oidc/start?invitation=\(code)")
        .expect(422, problem: "invitation-invalid")
      #expect(try !server.log.contains(code))
      // The account needs no invitation to sign in again.
      try await provider.set("{}")
      try await ada.signOn().expect(302)
    }
  }

  @Test func `usernames follow the rules of the server, and are made unique`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await server.register("grace").expect(201)
      for (number, (wanted, username)) in [
        ("grace", "grace2"), ("Grace", "grace3"), ("Ada.Lovelace@login.example", "ada_lovelace"),
        ("a", "usera"), ("Ünï", "n_2"), ("admin", "admin2"), ("__x__y__", "x__y"),
        (String(repeating: "long", count: 20), "longlonglonglonglonglonglonglo"),
      ].enumerated() {
        try await provider.set(
          #"{"claims": {"sub": "s\#(number)", "email": "e\#(number)@example.org", "preferred_username": "\#(wanted)"}}"#
        )
        var browser = TestBrowser(server, provider)
        try await browser.signOn().expect(302)
        let found = try await browser.me().username.text
        if wanted == "Ünï" {
          #expect(found?.hasPrefix("user") == true, "\(found ?? "")")
        } else {
          #expect(found == username)
        }
      }
      // A name that nobody can see, and no wanted name.
      try await provider.set(
        #"{"claims": {"sub": "last", "email": "Last.One@example.org", "preferred_username": null, "name": " "}, "userinfo": {"sub": "last"}}"#
      )
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      let me = try await browser.me()
      #expect(me.username.text == "last_one" && me.displayName == .null)
    }
  }

  @Test func `an email alone links no identity`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await server.register("ada").expect(201)
      for settings in [
        "{}", #"{"claims": {"email_verified": false}}"#,
        #"{"claims": {"email": "ADA@example.org"}}"#,
      ] {
        try await provider.set(settings)
        var browser = TestBrowser(server, provider)
        // The server has not confirmed the email.
        try await browser.signOn().expect(409, problem: "sign-in-to-link")
        #expect(browser.cookies.isEmpty)
        browser.acceptsPages = true
        let page = try await browser.signOn().expect(302)
        #expect(page["location"] == "/app/sign-in?error=sign-in-to-link")
      }
    }
  }

  /// A server whose user ada has a confirmed email.
  private func withConfirmedAda(
    _ provider: OpenIDTestProvider, _ body: (TestServer) async throws -> Void
  ) async throws {
    try await withDataFolder { folder in
      try await withServer(in: folder) { try await $0.register("ada").expect(201) }
      try await editDatabase(in: folder, "UPDATE users SET email_confirmed_at = 1")
      try await withServer(in: folder, { try provider.use(in: &$0) }, body)
    }
  }

  @Test func `an email that both sides have confirmed links an identity, but only the first`()
    async throws
  {
    let provider = try OpenIDTestProvider()
    try await withConfirmedAda(provider) { server in
      var browser = TestBrowser(server, provider)
      try await provider.set(#"{"claims": {"email_verified": false}}"#)
      try await browser.signOn().expect(409, problem: "sign-in-to-link")
      try await provider.set(#"{"claims": {"email_verified": "true"}}"#)
      try await browser.signOn().expect(409, problem: "sign-in-to-link")
      try await provider.set("{}")
      try await browser.signOn().expect(302)
      #expect(try await browser.identities().count == 1)
      // The provider gave the email to another user.
      try await provider.set(#"{"claims": {"sub": "2"}}"#)
      var other = TestBrowser(server, provider)
      try await other.signOn().expect(409, problem: "sign-in-to-link")
      // The password is still good.
      _ = try await server.token("ada")
    }
  }

  @Test func `an account with a second factor is linked only by its user`() async throws {
    let provider = try OpenIDTestProvider()
    try await withConfirmedAda(provider) { server in
      let token = try await server.token("ada")
      let now = Timestamp.now()
      let (_, codes) = try await server.turnOnSecondFactor(token: token, at: now)
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(409, problem: "sign-in-to-link")
      try await server.json("POST", "/users/me/identities", "{}", token: token)
        .expect(422, fields: ["code missing"])
      try await browser.send(
        "POST", "/sessions",
        json:
          #"{"username":"ada","password":"\#(TestServer.password)","code":"\#(codes[0])","cookie":true}"#
      ).expect(201)
      let answer = try await browser.send(
        "POST", "/users/me/identities", json: #"{"code":"\#(codes[1])"}"#
      ).expect(201)
      let end = try await browser.signOn(answer.json.url.text ?? "").expect(302)
      #expect(end["location"] == "/app/settings/security")
      // The provider asks for its own factor.
      var other = TestBrowser(server, provider)
      try await other.signOn().expect(302)
      #expect(try await other.me().username.text == "ada")
    }
  }

  @Test func `a signed-in user links an identity in the browser of the session`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await provider.set(#"{"claims": {"email": "other@example.org"}}"#)
      for name in ["ada", "eve"] { try await server.register(name).expect(201) }
      var (ada, eve) = (TestBrowser(server, provider), TestBrowser(server, provider))
      try await ada.signIn("ada")
      try await eve.signIn("eve")
      // Eve's link in Ada's browser would give Ada's identity to Eve.
      let lure = try await eve.link()
      try await ada.send("GET", lure).expect(400, problem: "sign-in-expired")
      for wrong in ["x", "\(lure)x".dropFirst("/oidc/start?link=".count).description] {
        try await ada.send("GET", "/oidc/start?link=\(wrong)")
          .expect(400, problem: "sign-in-expired")
      }
      var guest = TestBrowser(server, provider)
      try await guest.send("GET", try await ada.link()).expect(400, problem: "sign-in-expired")
      // A session that ends at the provider links nothing.
      var leaving = TestBrowser(server, provider)
      try await leaving.signIn("ada")
      let back = try await leaving.begin(try await leaving.link())
      try await leaving.send("DELETE", "/sessions/current").expect(204)
      leaving.acceptsPages = true
      let late = try await leaving.send("GET", back).expect(302)
      #expect(late["location"] == "/app/settings/security?error=sign-in-expired")

      let end = try await ada.signOn(try await ada.link()).expect(302)
      #expect(end["location"] == "/app/settings/security")
      #expect(ada.cookies.keys.sorted() == ["mememe"])
      #expect(try await ada.identities().count == 1)
      // Again, by another account, and with another identity of the provider.
      try await ada.signOn(try await ada.link()).expect(302)
      try await eve.signOn(try await eve.link()).expect(409, problem: "identity-linked")
      try await provider.set(#"{"claims": {"sub": "2"}}"#)
      try await ada.signOn(try await ada.link()).expect(409, problem: "identity-linked")
      #expect(try await eve.identities().isEmpty)

      try await provider.set("{}")
      try await guest.signOn().expect(302)
      #expect(try await guest.me().username.text == "ada")
    }
  }

  @Test func `linking needs a recent sign-in or the password, and a session`() async throws {
    let (provider, clock) = (try OpenIDTestProvider(), HeldClock())
    clock.set(1_800_000_000_000)
    try await withServer(now: clock.now, { try provider.use(in: &$0) }) { server in
      let ada = try await server.signUp("ada")
      let access = try #require(
        try await server.json(
          "POST", "/users/me/tokens", #"{"name":"x","scopes":["write"]}"#, token: ada
        ).expect(201).json.token.text)
      try await server.json("POST", "/users/me/identities", "{}", token: access).expect(403)
      try await server.get("/users/me/identities", token: access).expect(403)
      let unknown = "/users/me/identities/01234567-89ab-7def-8123-456789abcdef"
      try await server.delete(unknown, token: access).expect(403)
      try await server.delete(unknown, token: ada).expect(404)
      clock.set(1_800_000_000_000 + 11 * 60_000)
      try await server.json("POST", "/users/me/identities", "{}", token: ada)
        .expect(422, fields: ["password missing"])
      try await server.json("POST", "/users/me/identities", #"{"password":"wrong"}"#, token: ada)
        .expect(422, fields: ["password wrong-password"])
      let url = try #require(
        try await server.json(
          "POST", "/users/me/identities", #"{"password":"\#(TestServer.password)"}"#, token: ada
        ).expect(201).json.url.text)
      clock.set(1_800_000_000_000 + 14 * 60_000)
      try await server.send("GET", url, headers: [("Cookie", "mememe=\(ada)")])
        .expect(400, problem: "sign-in-expired")
    }
  }

  @Test func `an account without a password says so, and keeps its last identity`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      for (method, target, body, field) in [
        ("PUT", "/users/me/password", #"{"current":"!","new":"a dog on a piano"}"#, "current"),
        ("PATCH", "/users/me", #"{"email":"new@example.org","password":"!"}"#, "password"),
        ("PATCH", "/users/me", #"{"email":"new@example.org"}"#, "password"),
        ("DELETE", "/users/me", #"{"password":"!"}"#, "password"),
        ("DELETE", "/users/me/totp", #"{"password":"!"}"#, "password"),
        ("POST", "/users/me/tokens", #"{"name":"x","scopes":["read"],"password":"!"}"#, "password"),
      ] {
        try await browser.send(method, target, json: body)
          .expect(422, fields: ["\(field) no-password"])
      }
      for password in ["!", "", TestServer.password] {
        try await server.signIn("ada", password: password)
          .expect(401, problem: "wrong-credentials")
      }
      let id = try #require(try await browser.identities().first?.id.text)
      let target = "/users/me/identities/\(id)"
      try await browser.send("DELETE", target).expect(409, problem: "last-way-to-sign-in")
      #expect(try await browser.identities().count == 1)

      let token = try await server.resetToken(for: "ada@example.org", mails: 1)
      try await server.json(
        "PUT", "/password-resets/\(token)", #"{"password":"\#(TestServer.password)"}"#
      ).expect(204)
      try await browser.signOn().expect(302)
      #expect(
        try await browser.send("GET", "/users/me/identities").json.hasPassword.flag == true)
      try await browser.send("DELETE", target).expect(204)
      try await browser.send("DELETE", target).expect(404)
      #expect(try await browser.identities().isEmpty)
      _ = try await server.token("ada")
    }
  }

  @Test func `a password reset unlinks an identity that was linked to the account`() async throws {
    let (provider, clock) = (try OpenIDTestProvider(), HeldClock())
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    clock.set(now)
    try await withServer(now: clock.now, { try provider.use(in: &$0) }) { server in
      try await server.register("ada").expect(201)
      clock.set(now + 1000)
      try await provider.set(#"{"claims": {"email": "eve@example.org"}}"#)
      var eve = TestBrowser(server, provider)
      try await eve.signIn("ada")
      try await eve.signOn(try await eve.link()).expect(302)
      let token = try await server.resetToken(for: "ada@example.org", mails: 1)
      try await server.json(
        "PUT", "/password-resets/\(token)", #"{"password":"a dog on a piano"}"#
      ).expect(204)
      // The identity is unknown now, so it makes an account.
      try await eve.signOn().expect(302)
      #expect(try await eve.me().username.text == "ada2")
    }
  }

  @Test func `the identity of a deleted account makes a new one`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      let first = try await browser.me().id
      try await server.delete("/admin/users/ada", token: server.adminToken).expect(204)
      try await browser.signOn().expect(302)
      #expect(try await browser.me().id != first)
    }
  }

  @Test func `a suspended account is not signed in`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      browser.cookies = [:]
      try await server.json(
        "PUT", "/admin/users/ada/suspension", "{}", token: server.adminToken
      ).expect(204)
      try await browser.signOn().expect(403, problem: "suspended")
      #expect(browser.cookies.isEmpty)
    }
  }

  @Test func `the claim gives and takes the role, but not from the last admin`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({
      try provider.use(in: &$0, ["MEMEME_OIDC_ADMIN_CLAIM": "groups=meme-admins"])
    }) { server in
      func role(_ user: Int, _ groups: String) async throws -> String? {
        try await provider.set(
          #"{"claims": {"sub": "\#(user)", "preferred_username": "user\#(user)", "email": "user\#(user)@example.org", "groups": \#(groups)}}"#
        )
        var browser = TestBrowser(server, provider)
        try await browser.signOn().expect(302)
        return try await browser.me().role.text
      }
      for groups in [
        "null", "[]", #""other""#, "true", #"["meme-admins2"]"#, #"{"meme-admins": true}"#,
      ] {
        #expect(try await role(1, groups) == "member", "\(groups)")
      }
      #expect(try await role(1, #"["other", "meme-admins"]"#) == "admin")
      // The last admin keeps the role.
      #expect(try await role(1, "[]") == "admin")
      #expect(try server.log.contains("the last admin keeps the role"))
      #expect(try await role(2, #""meme-admins""#) == "admin")
      #expect(try await role(1, "[]") == "member")
      #expect(try await role(2, "[]") == "admin")
      let audit = try await server.get("/admin/audit", token: server.adminToken).expect(200)
      let acts = audit.json.items.elements.map {
        "\($0.actor.username.text ?? "") \($0.act.text ?? "") \($0.subject.text ?? "") \($0.details.role.text ?? "")"
      }
      #expect(
        acts == [
          "user1 change-role-by-sign-in user1 member", "user2 change-role-by-sign-in user2 admin",
          "user1 change-role-by-sign-in user1 admin",
        ])
      // Without the claim setting, an admin gives the role.
      try await server.patch("/admin/users/user1", #"{"role":"admin"}"#, token: server.adminToken)
        .expect(200)
      #expect(try await role(1, "[]") == "member")
    }
  }

  @Test func `a bare claim must be true`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({
      try provider.use(in: &$0, ["MEMEME_OIDC_ADMIN_CLAIM": "is_admin"])
    }) { server in
      for (claim, role) in [(#""true""#, "member"), ("1", "member"), ("true", "admin")] {
        try await provider.set(#"{"claims": {"is_admin": \#(claim)}}"#)
        var browser = TestBrowser(server, provider)
        try await browser.signOn().expect(302)
        #expect(try await browser.me().role.text == role)
      }
    }
  }

  @Test func `users get a mail about a new device, and about linked identities`() async throws {
    let (provider, mail, clock) = (try OpenIDTestProvider(), try MailServer(), HeldClock())
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    clock.set(now - 2 * 3_600_000)
    try await withServer(
      now: clock.now,
      {
        try $0.sendMail(through: mail)
        $0.publicURL = nil
        try provider.use(in: &$0)
      }
    ) { server in
      func subject() async throws -> String? {
        try await blocking { try mail.received() }.headers["Subject"]
      }
      try await server.register("ada").expect(201)
      #expect(try await subject() == "Confirm your email for MemeMe")
      clock.set(now)
      var browser = TestBrowser(server, provider)
      try await browser.signIn("ada")
      #expect(try await subject() == "Sign-in on a new device")
      try await browser.signOn(try await browser.link()).expect(302)
      #expect(try await subject() == "Single sign-on linked")
      try await browser.send("DELETE", "/sessions").expect(204)
      try await browser.signOn().expect(302)
      #expect(try await subject() == "Sign-in on a new device")
      let id = try #require(try await browser.identities().first?.id.text)
      try await browser.send("DELETE", "/users/me/identities/\(id)").expect(204)
      #expect(try await subject() == "Single sign-on unlinked")
    }
  }
}
