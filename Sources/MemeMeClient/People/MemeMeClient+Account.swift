extension MemeMeClient {
  /// Returns the signed-in user's account.
  public func account() async throws -> User { try await value(Call(.getOwnAccount)) }

  /// Returns the signed-in user's storage and remaining quota.
  public func usage() async throws -> OwnUsage { try await value(Call(.getOwnUsage)) }

  /// Changes the signed-in user's account.
  public func editAccount(_ edit: AccountEdit) async throws -> User {
    var call = Call(.editOwnAccount)
    try call.send(edit)
    return try await value(call)
  }

  /// Permanently deletes the signed-in user's account and all of its content.
  public func deleteAccount(password: String) async throws {
    var call = Call(.deleteOwnAccount)
    try call.send(["password": password])
    try await perform(call)
  }

  /// Changes the password. All other sessions end.
  public func changePassword(from current: String, to new: String) async throws {
    var call = Call(.changePassword)
    try call.send(["current": current, "new": new])
    try await perform(call)
  }

  /// Requests an email with a link that confirms the address. Has no effect if it is confirmed.
  ///
  /// - Throws: A problem with the code `notHere` if the server has no mail server.
  public func sendEmailConfirmation() async throws {
    let answer = try await answer(Call(.sendEmailConfirmation))
    guard [202, 204].contains(answer.head.status) else { throw answer.failure }
  }

  /// Confirms an email address with the token of a link. Needs no session.
  ///
  /// - Throws: A problem with the code `invalidConfirmation` if the link has been used before or has expired.
  public func confirmEmail(_ token: Token) async throws {
    var call = Call(.confirmEmail)
    try call.send(["token": token.secret])
    try await perform(call)
  }

  /// Requests an email with a password reset link. The response is the same whether or not the account exists.
  public func requestPasswordReset(email: String) async throws {
    var call = Call(.requestPasswordReset)
    try call.send(["email": email])
    try await perform(call, expecting: 202)
  }

  /// Sets a new password with the token of a reset link. All sessions end.
  ///
  /// - Throws: A problem with the code `invalidReset` if the link has been used before or has expired.
  public func resetPassword(_ token: Token, to new: String) async throws {
    var call = Call(.resetPassword, token.secret)
    try call.send(["password": new])
    try await perform(call)
  }

  /// Sets the signed-in user's profile picture.
  public func setAvatar(
    _ picture: Picture, progress: UploadProgress.Handler? = nil
  ) async throws -> User {
    var call = Call(.setAvatar)
    call.body = try picture.body()
    call.progress = progress
    return try await value(call)
  }

  /// Removes the signed-in user's profile picture.
  public func removeAvatar() async throws { try await perform(Call(.removeAvatar)) }

  /// Returns the signed-in user's settings.
  public func settings() async throws -> Settings { try await value(Call(.getSettings)) }

  /// Replaces all settings. A setting that is `nil` is reset to its default.
  public func replaceSettings(_ settings: Settings) async throws -> Settings {
    var call = Call(.replaceSettings)
    try call.send(settings)
    return try await value(call)
  }

  /// Changes some settings and keeps the others.
  public func editSettings(_ edit: SettingsEdit) async throws -> Settings {
    var call = Call(.editSettings)
    try call.send(edit)
    return try await value(call)
  }
}
