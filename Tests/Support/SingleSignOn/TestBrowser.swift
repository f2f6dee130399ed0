import Testing
import Wire

/// A browser with its cookies, which follows a user through a single sign-on.
package struct TestBrowser: Sendable {
  private let server: TestServer
  private let provider: OpenIDTestProvider
  /// By name.
  package var cookies: [String: String] = [:]
  /// Whether errors are pages and not problems.
  package var acceptsPages = false

  package init(_ server: TestServer, _ provider: OpenIDTestProvider) {
    (self.server, self.provider) = (server, provider)
  }

  package mutating func send(
    _ method: String, _ target: String, json: String? = nil
  ) async throws -> Answer {
    var headers = [("Sec-Fetch-Site", "same-origin"), ("User-Agent", "browser")]
    if !cookies.isEmpty {
      let text = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      headers.append(("Cookie", text))
    }
    if acceptsPages { headers.append(("Accept", "text/html,application/xhtml+xml;q=0.9")) }
    if json != nil { headers.append(("Content-Type", "application/json")) }
    let answer = try await server.send(
      method, target, headers: headers, body: json.map { Array($0.utf8) })
    for field in answer.response.headers where field.name.lowercased() == "set-cookie" {
      let pair = field.value.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isDeleted = field.value.contains("Max-Age=0;")
      cookies[String(pair[0])] = isDeleted ? nil : pair.last.map(String.init)
    }
    return answer
  }

  /// Begins a single sign-on, and signs in at the provider.
  ///
  /// - Parameter target: what the server requires, such as `/oidc/start?return=/app/feed`.
  /// - Returns: the target to which the provider sends the browser.
  package mutating func begin(_ target: String = "/oidc/start") async throws -> String {
    let answer = try await send("GET", target).expect(302)
    return try await provider.signIn(at: try #require(answer["location"]))
  }

  /// Does a whole single sign-on.
  ///
  /// - Returns: the last answer of the server.
  @discardableResult
  package mutating func signOn(_ target: String = "/oidc/start") async throws -> Answer {
    try await send("GET", try await begin(target))
  }

  /// The signed-in user.
  package mutating func me() async throws -> JSON {
    try await send("GET", "/users/me").expect(200).json
  }

  /// Signs in with the password.
  package mutating func signIn(_ username: String) async throws {
    try await send(
      "POST", "/sessions",
      json: #"{"username":"\#(username)","password":"\#(TestServer.password)","cookie":true}"#
    ).expect(201)
  }

  /// Asks for the permission to link an identity.
  ///
  /// - Returns: the URL to open.
  package mutating func link() async throws -> String {
    let answer = try await send("POST", "/users/me/identities", json: "{}").expect(201)
    return try #require(answer.json.url.text)
  }

  /// The identities of the signed-in user.
  package mutating func identities() async throws -> [JSON] {
    try await send("GET", "/users/me/identities").expect(200).json.items.elements
  }
}
