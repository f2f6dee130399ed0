package import Testing

extension TestServer {
  package static let password = "a cat on a keyboard"

  /// Sends JSON.
  package func json(
    _ method: String, _ target: String, _ json: String, token: String? = nil,
    headers: [(String, String)] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await send(
      method, target, headers: authorization + headers + [("Content-Type", "application/json")],
      body: Array(json.utf8), sourceLocation: sourceLocation)
  }

  package func register(
    _ username: String, password: String = Self.password, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await json(
      "POST", "/users",
      #"{"username":"\#(username)","email":"\#(username)@example.org","password":"\#(password)"}"#,
      headers: headers)
  }

  package func signIn(
    _ username: String, password: String = Self.password, cookie: Bool = false,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    try await json(
      "POST", "/sessions",
      #"{"username":"\#(username)","password":"\#(password)","cookie":\#(cookie)}"#,
      headers: headers)
  }

  /// Signs in a person who has an account.
  ///
  /// - Returns: the token of the session.
  package func token(_ username: String, password: String = Self.password) async throws -> String {
    try #require(
      try await signIn(username, password: password).expect(201).json.token.text)
  }

  /// Registers a person and signs them in.
  ///
  /// - Returns: the token of the session.
  package func signUp(_ username: String) async throws -> String {
    try await register(username).expect(201)
    return try await token(username)
  }

  /// The usernames in a list, from all pages.
  package func usernames(_ list: String, token: String? = nil) async throws -> [String] {
    var (found, next): ([String], String?) = ([], list)
    while let target = next {
      let page = try await get(target, token: token).expect(200)
      found += page.json.items.elements.compactMap(\.username.text)
      next = page["link"].flatMap { $0.split(separator: ">").first?.dropFirst() }.map(String.init)
    }
    return found
  }
}
