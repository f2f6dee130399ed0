extension MemeMeClient {
  /// Returns the links and texts for sharing a meme.
  public func shareLinks(for id: Meme.ID) async throws -> ShareLinks {
    try await value(Call(.getShareLinks, "\(id)"))
  }

  /// Counts a share of a meme.
  public func recordShare(
    of id: Meme.ID, by channel: ShareChannel, key: IdempotencyKey = IdempotencyKey()
  ) async throws {
    try await share(id, channel, to: nil, key)
  }

  /// Asks the server to send a meme with its image by email.
  public func mail(
    _ id: Meme.ID, to address: String, key: IdempotencyKey = IdempotencyKey()
  ) async throws {
    try await share(id, .email, to: address, key)
  }

  private func share(
    _ id: Meme.ID, _ channel: ShareChannel, to address: String?, _ key: IdempotencyKey
  ) async throws {
    try await perform(
      Call(.shareMeme, "\(id)").with(json: ["channel": channel.rawValue, "to": address], key: key))
  }
}
