extension MemeMeClient {
  /// Returns the signed-in user's account.
  public func account() async throws -> User { try await value(Call(.getOwnAccount)) }

  /// Returns the signed-in user's storage and remaining quota.
  public func usage() async throws -> OwnUsage { try await value(Call(.getOwnUsage)) }

  /// Changes the signed-in user's account.
  public func editAccount(_ edit: AccountEdit) async throws -> User {
    try await value(Call(.editOwnAccount).with(json: edit))
  }

  /// Permanently deletes the signed-in user's account and all of its content.
  public func deleteAccount(password: String) async throws {
    try await perform(Call(.deleteOwnAccount).with(json: ["password": password]))
  }

  /// Changes the password. All other sessions end.
  public func changePassword(from current: String, to new: String) async throws {
    try await perform(Call(.changePassword).with(json: ["current": current, "new": new]))
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
    try await perform(Call(.confirmEmail).with(json: ["token": token.secret]))
  }

  /// Requests an email with a password reset link. The response is the same whether or not the account exists.
  public func requestPasswordReset(email: String) async throws {
    try await perform(Call(.requestPasswordReset).with(json: ["email": email]), expecting: 202)
  }

  /// Sets a new password with the token of a reset link. All sessions end.
  ///
  /// - Throws: A problem with the code `invalidReset` if the link has been used before or has expired.
  public func resetPassword(_ token: Token, to new: String) async throws {
    try await perform(Call(.resetPassword, token.secret).with(json: ["password": new]))
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
    try await value(Call(.replaceSettings).with(json: settings))
  }

  /// Changes some settings and keeps the others.
  public func editSettings(_ edit: SettingsEdit) async throws -> Settings {
    try await value(Call(.editSettings).with(json: edit))
  }
}
