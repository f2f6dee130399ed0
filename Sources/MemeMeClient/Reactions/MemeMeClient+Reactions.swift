extension MemeMeClient {
  public func like(_ id: Meme.ID) async throws { try await perform(Call(.likeMeme, "\(id)")) }

  public func unlike(_ id: Meme.ID) async throws { try await perform(Call(.unlikeMeme, "\(id)")) }

  /// Returns the users who like a meme.
  public func likes(
    of id: Meme.ID, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Profile> {
    try await list(Call(.listLikes, "\(id)"), limit, cursor)
  }

  /// Adds a meme to the signed-in user's favorites, which no other user can see.
  public func addFavorite(_ id: Meme.ID) async throws {
    try await perform(Call(.favoriteMeme, "\(id)"))
  }

  public func removeFavorite(_ id: Meme.ID) async throws {
    try await perform(Call(.unfavoriteMeme, "\(id)"))
  }

  public func favorites<Item: MemeView>(
    as view: Item.Type = Meme.self, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    try await list(Call(.listFavorites), limit, cursor, view: Item.view)
  }
}
