public import Foundation

extension MemeMeClient {
  /// Makes an access token. It needs a session, not an access token.
  ///
  /// - Parameters:
  ///   - expiry: `nil` if it does not expire.
  ///   - password: The current password. `nil` is enough in the first ten minutes of the session.
  ///   - code: A code of the second factor, or a recovery code. It is needed if the second factor is on.
  /// - Returns: The token with its secret. If the response is lost, delete the token and make another one.
  /// - Throws: A problem with the code `forbidden` or `tooManyTokens`, or `invalidInput` with every invalid field.
  public func makeAccessToken(
    _ name: String, scopes: [AccessToken.Scope], expiresAt expiry: Date? = nil,
    password: String? = nil, code: String? = nil
  ) async throws -> NewAccessToken {
    struct Terms: Encodable {
      let name: String
      let scopes: [AccessToken.Scope]
      let expiresAt: Date?
      let password: String?
      let code: String?
    }
    let terms = Terms(
      name: name, scopes: scopes, expiresAt: expiry, password: password, code: code)
    return try await value(Call(.createAccessToken).with(json: terms))
  }

  /// Makes an access token for an app, with its name and the scopes `read` and `write`.
  ///
  /// - Parameters:
  ///   - password: The current password. `nil` is enough in the first ten minutes of the session.
  ///   - code: A code of the second factor, or a recovery code. It is needed if the second factor is on.
  /// - Throws: The problems of ``makeAccessToken(_:scopes:expiresAt:password:code:)``.
  public func linkApp(
    _ name: String, password: String? = nil, code: String? = nil
  ) async throws -> NewAccessToken {
    let fields = ["password": password, "code": code].compactMapValues(\.self)
    return try await value(Call(.linkApp, name).with(json: fields))
  }

  /// Returns the valid access tokens of the signed-in user, newest first.
  public func accessTokens() async throws -> [AccessToken] {
    let page: Page<AccessToken> = try await value(Call(.listAccessTokens))
    return page.items
  }

  /// Deletes an access token of the signed-in user.
  public func deleteAccessToken(_ id: AccessToken.ID) async throws {
    try await perform(Call(.deleteAccessToken, "\(id)"))
  }
}
