extension MemeMeClient {
  /// Reports a meme to the admins.
  public func report(
    _ id: Meme.ID, _ reason: String, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> FiledReport {
    try await report(Call(.reportMeme, "\(id)"), reason, key)
  }

  /// Reports a comment to the admins.
  public func report(
    _ id: Comment.ID, _ reason: String, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> FiledReport {
    try await report(Call(.reportComment, "\(id)"), reason, key)
  }

  /// Reports a user to the admins.
  public func report(
    person username: String, _ reason: String, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> FiledReport {
    try await report(Call(.reportPerson, username), reason, key)
  }

  private func report(
    _ call: Call, _ reason: String, _ key: IdempotencyKey
  ) async throws -> FiledReport {
    try await value(call.with(json: ["reason": reason], key: key))
  }
}
