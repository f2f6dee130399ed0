package import Testing

extension TestServer {
  /// Makes an access token.
  ///
  /// - Parameter token: that of a recent session.
  package func makeToken(
    _ scopes: [String], token: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
    let answer = try await json(
      "POST", "/users/me/tokens", #"{"name":"a script","scopes":[\#(list)]}"#, token: token,
      sourceLocation: sourceLocation)
    return try #require(answer.expect(201).json.token.text, sourceLocation: sourceLocation)
  }
}
