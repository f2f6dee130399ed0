extension MemeMeClient {
  /// Returns the users whose names begin with the search terms.
  public func people(
    named words: String, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    var call = Call(.findUsers)
    call.query = ["q": words, "limit": limit.map(String.init), "cursor": cursor?.text]
    return try await value(call)
  }

  /// Returns the profile of a user.
  public func profile(_ username: String) async throws -> Profile {
    try await value(Call(.getUser, username))
  }

  /// Returns the memes of a user that the caller may see, newest first.
  public func memes<Item: MemeView>(
    of username: String, as view: Item.Type = Meme.self, limit: Int? = nil,
    after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    try await list(Call(.listMemesOfUser, username), limit, cursor, view: Item.view)
  }

  /// Downloads the profile picture of a user.
  ///
  /// - Parameter size: The edge length in pixels: 64, 192 or 512.
  public func avatar(of username: String, size: Int = 192) async throws -> PictureFile {
    var call = Call(.getAvatar, username)
    call.query = ["size": String(size)]
    return try await picture(call)
  }
}
