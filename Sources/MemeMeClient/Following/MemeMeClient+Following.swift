extension MemeMeClient {
  /// Follows a user. Two users who follow each other are friends.
  public func follow(_ username: String) async throws {
    try await perform(Call(.followUser, username))
  }

  public func unfollow(_ username: String) async throws {
    try await perform(Call(.unfollowUser, username))
  }

  /// Blocks a user. Both stop following each other, and neither can see the other.
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

  /// Returns the users that a user follows.
  public func following(
    of username: String, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listFollowing, username), limit, cursor)
  }

  /// Returns the friends of the signed-in user.
  public func friends(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listFriends), limit, cursor)
  }

  /// Returns the users that the signed-in user has blocked.
  public func blocked(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listBlocks), limit, cursor)
  }
}
