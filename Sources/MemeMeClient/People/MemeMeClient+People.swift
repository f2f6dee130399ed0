extension MemeMeClient {
  /// People whose names begin with the words.
  public func people(
    named words: String, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    var call = Call(.findUsers)
    call.query = ["q": words, "limit": limit.map(String.init), "cursor": cursor?.text]
    return try await value(call)
  }

  /// Somebody's profile.
  public func profile(_ username: String) async throws -> Profile {
    try await value(Call(.getUser, username))
  }

  /// Somebody's memes that whoever asks may see, newest first.
  public func memes<Item: MemeView>(
    of username: String, as view: Item.Type = Meme.self, limit: Int? = nil,
    after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    try await list(Call(.listMemesOfUser, username), limit, cursor, view: Item.view)
  }

  /// Somebody's picture.
  ///
  /// - Parameter size: its edge in pixels: 64, 192 or 512.
  public func avatar(of username: String, size: Int = 192) async throws -> PictureFile {
    var call = Call(.getAvatar, username)
    call.query = ["size": String(size)]
    return try await picture(call)
  }
}
