extension MemeMeClient {
  /// Follows somebody. Two who follow each other are friends.
  public func follow(_ username: String) async throws {
    try await perform(Call(.followUser, username))
  }

  public func unfollow(_ username: String) async throws {
    try await perform(Call(.unfollowUser, username))
  }

  /// Blocks somebody: neither follows the other any longer, and neither sees the other.
  public func block(_ username: String) async throws {
    try await perform(Call(.blockUser, username))
  }

  public func unblock(_ username: String) async throws {
    try await perform(Call(.unblockUser, username))
  }

  public func followers(
    of username: String, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listFollowers, username), limit, cursor)
  }

  /// Whom somebody follows.
  public func following(
    of username: String, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listFollowing, username), limit, cursor)
  }

  /// One's own friends.
  public func friends(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listFriends), limit, cursor)
  }

  /// Whom one blocks.
  public func blocked(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listBlocks), limit, cursor)
  }
}
