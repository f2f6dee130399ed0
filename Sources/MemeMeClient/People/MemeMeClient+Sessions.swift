extension MemeMeClient {
  /// Makes an account. Nobody is signed in by it.
  ///
  /// - Throws: a problem: `usernameTaken`, `emailTaken`, or `invalidInput` with every field that cannot be taken.
  public func register(
    _ registration: Registration, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> User {
    var call = Call(.register)
    call.key = key
    try call.send(registration)
    return try await value(call)
  }

  /// Signs in: ``authorized(by:)`` with the token that this gives asks as that person.
  ///
  /// - Parameter username: the username or the email.
  /// - Throws: a problem: `wrongCredentials`, or `tooManyRequests` after many wrong passwords.
  public func signIn(_ username: String, password: String) async throws -> SignedIn {
    var call = Call(.signIn)
    try call.send(["username": username, "password": password])
    return try await value(call)
  }

  /// Where one is signed in.
  public func sessions() async throws -> [Session] {
    let page: Page<Session> = try await value(Call(.listSessions))
    return page.items
  }

  /// Ends the session that asks.
  public func signOut() async throws { try await perform(Call(.signOut, "current")) }

  /// Ends one of one's sessions.
  public func signOut(_ session: Session.ID) async throws {
    try await perform(Call(.signOut, "\(session)"))
  }

  /// Ends all of one's sessions, the one that asks among them.
  public func signOutEverywhere() async throws { try await perform(Call(.signOutEverywhere)) }
}
