extension MemeMeClient {
  /// One's own account.
  public func account() async throws -> User { try await value(Call(.getOwnAccount)) }

  /// The person's storage, and the rest of the quota.
  public func usage() async throws -> OwnUsage { try await value(Call(.getOwnUsage)) }

  /// Changes one's own account.
  public func editAccount(_ edit: AccountEdit) async throws -> User {
    var call = Call(.editOwnAccount)
    try call.send(edit)
    return try await value(call)
  }

  /// Leaves: the account and all that the person made is removed, for good.
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

  /// Asks for a mail with a link to choose a new password by. It is answered alike whether there is such an account or not.
  public func requestPasswordReset(email: String) async throws {
    var call = Call(.requestPasswordReset)
    try call.send(["email": email])
    try await perform(call, expecting: 202)
  }

  /// Chooses a new password by the token of the mail's link. All sessions end.
  ///
  /// - Throws: a problem: `invalidReset` where the link was used before, or is too old.
  public func resetPassword(_ token: Token, to new: String) async throws {
    var call = Call(.resetPassword, token.secret)
    try call.send(["password": new])
    try await perform(call)
  }

  /// Sends one's picture.
  public func setAvatar(
    _ picture: Picture, progress: UploadProgress.Handler? = nil
  ) async throws -> User {
    var call = Call(.setAvatar)
    call.body = try picture.body()
    call.progress = progress
    return try await value(call)
  }

  /// Takes one's picture away.
  public func removeAvatar() async throws { try await perform(Call(.removeAvatar)) }

  /// One's settings.
  public func settings() async throws -> Settings { try await value(Call(.getSettings)) }

  /// Sets everything: what is `nil` becomes what it is where nobody chooses.
  public func replaceSettings(_ settings: Settings) async throws -> Settings {
    var call = Call(.replaceSettings)
    try call.send(settings)
    return try await value(call)
  }

  /// Sets something; the rest stays.
  public func editSettings(_ edit: SettingsEdit) async throws -> Settings {
    var call = Call(.editSettings)
    try call.send(edit)
    return try await value(call)
  }
}
