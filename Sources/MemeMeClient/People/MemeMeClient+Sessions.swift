extension MemeMeClient {
  /// Creates an account, without signing in.
  ///
  /// - Throws: A problem with the code `usernameTaken` or `emailTaken`, `registrationClosed` or `invitationInvalid`, or
  ///   `invalidInput` with every invalid field.
  public func register(
    _ registration: Registration, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> User {
    try await value(Call(.register).with(json: registration, key: key))
  }

  /// Signs in. Pass the returned token to ``authorized(by:)`` to make calls as this user.
  ///
  /// - Parameters:
  ///   - username: The username or email address.
  ///   - code: A code of the second factor, or a recovery code.
  /// - Throws: A problem with the code `wrongCredentials`; `codeRequired` if the account has a second factor and there
  ///   is no code, or `invalidCode`; or `tooManyRequests` after many wrong passwords or codes.
  public func signIn(
    _ username: String, password: String, code: String? = nil
  ) async throws -> SignedIn {
    var fields = ["username": username, "password": password]
    fields["code"] = code
    return try await value(Call(.signIn).with(json: fields))
  }

  /// Returns the sessions of the signed-in user.
  public func sessions() async throws -> [Session] {
    let page: Page<Session> = try await value(Call(.listSessions))
    return page.items
  }

  /// Ends the current session.
  public func signOut() async throws { try await perform(Call(.signOut, "current")) }

  /// Ends one session of the signed-in user.
  public func signOut(_ session: Session.ID) async throws {
    try await perform(Call(.signOut, "\(session)"))
  }

  /// Ends all sessions of the signed-in user, including the current one, and the access tokens unless they are kept.
  public func signOutEverywhere(keepingAccessTokens: Bool = false) async throws {
    var call = Call(.signOutEverywhere)
    if keepingAccessTokens { call.query = ["keepTokens": "true"] }
    try await perform(call)
  }
}
