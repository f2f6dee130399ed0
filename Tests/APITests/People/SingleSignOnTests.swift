import Foundation
import Support
import Testing
import Wire
import mememe

/// Sign-in by an OpenID Connect provider: the flow itself.
struct SingleSignOnTests {
  /// Each server has a discovery document of its own.
  private static let serverCount = Cluster.isTested ? 2 : 1

  @Test func `a sign-in makes an account, and the next one finds it`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      let start = try await browser.send("GET", "/oidc/start?return=/app/feed").expect(302)
      #expect(start["cache-control"] == "no-store")
      #expect(start["ratelimit-policy"] == nil)
      let set = try #require(start["set-cookie"])
      #expect(set.hasPrefix("mememe-oidc="))
      #expect(set.hasSuffix("; Max-Age=600; Path=/oidc; HttpOnly; SameSite=Lax"))
      let url = try #require(start["location"])
      #expect(url.hasPrefix("\(provider.issuer)/authorize?tenant=x&response_type=code&client_id="))
      let back = try await provider.signIn(at: url)
      let end = try await browser.send("GET", back).expect(302, lacking: ["token"])
      #expect(end["location"] == "/app/signed-in#/app/feed")
      #expect(end["cache-control"] == "no-store")
      #expect(browser.cookies.keys.sorted() == ["mememe"])

      let me = try await browser.me()
      #expect(me.username.text == "ada" && me.displayName.text == "Ada Lovelace")
      #expect(me.email.text == "ada@example.org" && me.emailConfirmed.flag == true)
      #expect(me.role.text == "member" && me.secondFactor == .null)
      let answer = try await browser.send("GET", "/users/me/identities").expect(200)
      #expect(answer.json.hasPassword.flag == false)
      let identity = answer.json.items[0]
      #expect(identity.issuer.text == provider.issuer && identity.subject.text == "1")

      // Another browser, another email and another name: the subject decides.
      try await provider.set(
        #"{"claims": {"email": "new@example.org", "preferred_username": "eve"}}"#)
      var other = TestBrowser(server, provider)
      let again = try await other.signOn().expect(302)
      #expect(again["location"] == "/app/signed-in#/")
      #expect(try await other.me().id == me.id)
      #expect(try await other.me().email.text == "ada@example.org")
      #expect(try await other.identities().map(\.id) == [identity.id])
      #expect(
        try await provider.count("/.well-known/openid-configuration") <= Self.serverCount)
      #expect(try await provider.count("/userinfo") == 0)
      let log = try server.log
      #expect(log.contains("/oidc/callback?"))
      #expect(!log.contains("code=") && !log.contains("state="))
    }
  }

  /// ID tokens, and what else a provider may send wrongly.
  private static let faults: [(settings: String, code: String)] = [
    (#"{"claims": {"iss": "https://evil.example"}}"#, "provider-failed"),
    (#"{"claims": {"iss": null}}"#, "provider-failed"),
    (#"{"claims": {"aud": "other"}}"#, "provider-failed"),
    (#"{"claims": {"aud": ["other"]}}"#, "provider-failed"),
    (#"{"claims": {"aud": ["mememe at home", "other"]}}"#, "provider-failed"),
    (#"{"claims": {"aud": ["mememe at home", "other"], "azp": "other"}}"#, "provider-failed"),
    (#"{"claims": {"azp": "other"}}"#, "provider-failed"),
    (#"{"claims": {"nonce": "other"}}"#, "provider-failed"),
    (#"{"claims": {"nonce": null}}"#, "provider-failed"),
    (#"{"claims": {"sub": ""}}"#, "provider-failed"),
    (#"{"claims": {"sub": 1}}"#, "provider-failed"),
    (#"{"claims": {"sub": null}}"#, "provider-failed"),
    (#"{"expIn": -70}"#, "provider-failed"), (#"{"claims": {"exp": null}}"#, "provider-failed"),
    (#"{"iatIn": 70}"#, "provider-failed"), (#"{"claims": {"iat": null}}"#, "provider-failed"),
    (#"{"tokens": {"id_token": "x"}}"#, "provider-failed"),
    (#"{"tokens": {"id_token": "e30.!.e30"}}"#, "provider-failed"),
    (#"{"tokens": {"id_token": null}}"#, "provider-failed"),
    (#"{"tokens": {"id_token": "a.b.c.d.e"}}"#, "provider-failed"),
    (#"{"faults": {"/token": "large"}}"#, "provider-failed"),
    (#"{"faults": {"/token": "head"}}"#, "provider-failed"),
    (#"{"faults": {"/token": "redirect"}}"#, "provider-failed"),
    (#"{"faults": {"/token": "garbage"}}"#, "provider-failed"),
    (#"{"faults": {"/token": 500}}"#, "provider-failed"),
    (#"{"error": "access_denied"}"#, "provider-refused"),
    (#"{"answer": {"iss": "https://evil.example"}}"#, "provider-failed"),
    (#"{"answer": {"code": "unknown"}}"#, "sign-in-expired"),
    (#"{"answer": {"state": "other"}}"#, "sign-in-expired"),
    (#"{"claims": {"email": null}, "userinfo": {"sub": "2"}}"#, "provider-failed"),
    (#"{"claims": {"email": null}, "faults": {"/userinfo": 500}}"#, "provider-failed"),
    (#"{"claims": {"email": null}}"#, "provider-email-missing"),
    (#"{"claims": {"email": "no email"}}"#, "provider-email-missing"),
  ]

  @Test func `a sign-in with a wrong answer of the provider begins no session`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      for (settings, code) in Self.faults {
        try await provider.set(settings)
        var browser = TestBrowser(server, provider)
        let answer = try await browser.signOn()
        #expect(answer.json.code.text == code, "\(settings)")
        #expect(browser.cookies.isEmpty, "\(settings)")
        browser.acceptsPages = true
        let page = try await browser.signOn().expect(302)
        #expect(page["location"] == "/app/sign-in?error=\(code)", "\(settings)")
        #expect(browser.cookies.isEmpty, "\(settings)")
      }
      try await server.get("/users/ada").expect(404)
      #expect(try await provider.count("/elsewhere") == 0)
      #expect(try server.log.contains("the ID token is of another issuer"))
    }
  }

  @Test(arguments: [
    #"{"expIn": -50}"#, #"{"iatIn": 50}"#, #"{"claims": {"aud": ["mememe at home"]}}"#,
    #"{"claims": {"aud": ["mememe at home", "other"], "azp": "mememe at home"}}"#,
    #"{"discovery": {"token_endpoint_auth_methods_supported": ["client_secret_post"]}}"#,
    #"{"discovery": {"token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"]}}"#,
    #"{"claims": {"email": null, "email_verified": null, "name": null}, "userinfo": {"email": "ada@example.org", "email_verified": true, "name": "Ada Lovelace"}}"#,
  ])
  func `a sign-in works within the tolerance, and with other forms of the answer`(
    settings: String
  ) async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await provider.set(settings)
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      let me = try await browser.me()
      #expect(me.email.text == "ada@example.org" && me.emailConfirmed.flag == true)
      #expect(me.displayName.text == "Ada Lovelace")
    }
  }

  @Test func `an email of the user info is not verified by the ID token`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await provider.set(
        #"{"claims": {"email": null}, "userinfo": {"email": "ada@example.org"}}"#)
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      #expect(try await browser.me().emailConfirmed.flag == false)
    }
  }

  @Test(arguments: [#""email": "eve@example.org", "#, #""email": null, "#, ""])
  func `the user info does not verify another email of the ID token`(email: String) async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await provider.set(
        #"""
        {"claims": {"email_verified": null, "name": null},
         "userinfo": {\#(email)"email_verified": true, "name": "Ada"}}
        """#)
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      let me = try await browser.me()
      #expect(me.email.text == "ada@example.org" && me.emailConfirmed.flag == false)
    }
  }

  @Test func `the user info verifies the same email of the ID token`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await provider.set(
        #"""
        {"claims": {"email_verified": null, "name": null},
         "userinfo": {"email": "ada@example.org", "email_verified": true}}
        """#)
      var browser = TestBrowser(server, provider)
      try await browser.signOn().expect(302)
      #expect(try await browser.me().emailConfirmed.flag == true)
    }
  }

  @Test func `only the browser that began a sign-in finishes it, once`() async throws {
    let (provider, clock) = (try OpenIDTestProvider(), HeldClock())
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    clock.set(now)
    try await withServer(now: clock.now, { try provider.use(in: &$0) }) { server in
      var ada = TestBrowser(server, provider)
      let back = try await ada.begin()
      let cookie = ada.cookies
      // Without a cookie, with the cookie of another sign-in, and with a changed one.
      var eve = TestBrowser(server, provider)
      try await eve.send("GET", back).expect(400, problem: "sign-in-expired")
      _ = try await eve.begin()
      try await eve.send("GET", back).expect(400, problem: "sign-in-expired")
      eve.cookies = cookie.mapValues { ($0.hasPrefix("A") ? "B" : "A") + $0.dropFirst() }
      try await eve.send("GET", back).expect(400, problem: "sign-in-expired")
      for target in [
        "/oidc/callback", "/oidc/callback?code=x", "\(back)&state=x", "\(back)&code=x",
      ] {
        eve.cookies = cookie
        try await eve.send("GET", target).expect(400, problem: "sign-in-expired")
        #expect(eve.cookies.isEmpty)
      }
      #expect(try await provider.count("/token") == 0)
      try await ada.send("GET", back).expect(302)
      // The code is used up, and the browser has forgotten the cookie.
      try await ada.send("GET", back).expect(400, problem: "sign-in-expired")
      ada.cookies = cookie
      try await ada.send("GET", back).expect(400, problem: "sign-in-expired")
      #expect(try await provider.count("/token") == 2)

      let late = try await ada.begin()
      clock.set(now + 601_000)
      try await ada.send("GET", late).expect(400, problem: "sign-in-expired")
    }
  }

  @Test func `the page afterwards is one of the app`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      for page in [
        "", "/", "/memes", "/application", "//evil.example", "/app//evil.example", "/app/../memes",
        "/app/%252e%252e/memes", "/app/./x", "/app%5Cevil", "/app%0d%0aSet-Cookie:x",
        "https://evil.example/app", "/app/%23x", "app", "/app/@evil.example",
        "/app/\(String(repeating: "x", count: 600))",
      ] {
        try await browser.send("GET", "/oidc/start?return=\(page)")
          .expect(422, problem: "invalid-input", fields: ["return not-allowed"])
      }
      #expect(browser.cookies.isEmpty)
      let end = try await browser.signOn("/oidc/start?return=/app/people%3Fq%3Da%2520b").expect(302)
      #expect(end["location"] == "/app/signed-in#/app/people?q=a%20b")
      try await browser.send("GET", "/oidc/start?other=1").expect(
        422, fields: ["other unknown-field"])
    }
  }

  @Test func `without a provider, there are no addresses for it`() async throws {
    try await withServer { server in
      try await server.get("/oidc/start").expect(404, problem: "not-found")
      try await server.get("/oidc/callback?code=x&state=y").expect(404, problem: "not-found")
      let ada = try await server.signUp("ada")
      try await server.json("POST", "/users/me/identities", "{}", token: ada).expect(404)
      try await server.signIn("eve").expect(401, lacking: ["singleSignOn"])
      #expect(try await server.get("/").response.text.contains(#"data-signon="""#))
    }
  }

  @Test func `apps learn of the provider from the page and from a refused sign-in`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      let page = try await server.get("/").response.text
      #expect(page.contains(#"data-signon="Example &lt;ID&gt;""#))
      let way = try await server.signIn("eve").expect(401, problem: "wrong-credentials").json
        .singleSignOn
      #expect(way.name.text == "Example <ID>" && way.url.text == "/oidc/start")
    }
  }

  @Test func `with HTTPS and a path, the cookie and the addresses have both`() async throws {
    let provider = try OpenIDTestProvider()
    let url = try Settings(
      environment: ["MEMEME_PUBLIC_URL": "https://example.org/memes"], flags: []
    ).publicURL
    try await withServer({
      try provider.use(in: &$0)
      $0.publicURL = url
    }) { server in
      var browser = TestBrowser(server, provider)
      let start = try await browser.send("GET", "/oidc/start").expect(302)
      let cookie = try #require(start["set-cookie"])
      // Without the prefix, another host of the domain could set a cookie with a sign-on of its own.
      #expect(cookie.hasPrefix("__Host-mememe-oidc="))
      #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
      #expect(
        start["location"]?.contains(
          "redirect_uri=https%3A%2F%2Fexample.org%2Fmemes%2Foidc%2Fcallback") == true)
      let back = try await provider.signIn(at: start["location"] ?? "")
      let end = try await browser.send("GET", String(back.dropFirst("/memes".count))).expect(302)
      #expect(end["location"] == "/memes/app/signed-in#/")
      #expect(browser.cookies.keys.sorted() == ["__Host-mememe"])
    }
  }

  @Test func `many clients cannot make the server ask the provider often`() async throws {
    let (provider, clock) = (try OpenIDTestProvider(), HeldClock())
    clock.set(1_800_000_000_000)
    try await withServer(
      now: clock.now,
      {
        try provider.use(in: &$0)
        $0.limitsRates = true
      }
    ) { server in
      try await provider.set(#"{"faults": {"/.well-known/openid-configuration": 500}}"#)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask {
            try await server.get("/oidc/start").expect(502, problem: "provider-failed")
          }
        }
        try await group.waitForAll()
      }
      #expect(
        try await provider.count("/.well-known/openid-configuration") == Self.serverCount)
      try await provider.set("{}")
      clock.set(1_800_000_005_000)
      for _ in 0..<20 { try await server.get("/oidc/start").expect(302) }
      #expect(
        try await provider.count("/.well-known/openid-configuration") == 2 * Self.serverCount)
      clock.set(1_800_003_605_001)
      // The limit follows a clock of its own, by which a busy machine may be slow enough for another request.
      var refused = try await server.get("/oidc/callback?state=x&code=y")
      for _ in 1...60 where refused.status == 400 {
        refused = try await server.get("/oidc/callback?state=x&code=y")
      }
      refused.expect(429, problem: "too-many-requests")
      #expect(refused["ratelimit-policy"] == #""single-sign-on";q=30;w=60"#)
    }
  }

  @Test(arguments: [
    #"{"discovery": {"issuer": "http://127.0.0.1:1"}}"#,
    #"{"discovery": {"token_endpoint": "http://example.org/token"}}"#,
    #"{"discovery": {"authorization_endpoint": "javascript:alert(1)"}}"#,
    #"{"discovery": {"userinfo_endpoint": "file:///etc/passwd"}}"#,
    #"{"discovery": {"token_endpoint_auth_methods_supported": ["private_key_jwt"]}}"#,
    #"{"faults": {"/.well-known/openid-configuration": "redirect"}}"#,
    #"{"faults": {"/.well-known/openid-configuration": "large"}}"#,
    #"{"faults": {"/.well-known/openid-configuration": "garbage"}}"#,
  ])
  func `a wrong discovery document begins no sign-in`(settings: String) async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      try await provider.set(settings)
      var browser = TestBrowser(server, provider)
      try await browser.send("GET", "/oidc/start").expect(502, problem: "provider-failed")
      #expect(browser.cookies.isEmpty)
      #expect(try await provider.count("/elsewhere") == 0)
    }
  }

  @Test func `a slow provider is given up after ten seconds`() async throws {
    let provider = try OpenIDTestProvider()
    try await withServer({ try provider.use(in: &$0) }) { server in
      var browser = TestBrowser(server, provider)
      let back = try await browser.begin()
      try await provider.set(#"{"faults": {"/token": "slow"}, "seconds": 25}"#)
      let start = ContinuousClock.now
      try await browser.send("GET", back).expect(502, problem: "provider-failed")
      // The provider would answer later.
      #expect(.now - start >= .seconds(9))
      try await server.get("/healthz").expect(200)
    }
  }
}
