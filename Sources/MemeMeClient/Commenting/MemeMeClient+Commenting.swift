extension MemeMeClient {
  /// Returns the comments on a meme.
  public func comments(
    about id: Meme.ID, sort: Comment.Sort = .newest, limit: Int? = nil,
    after cursor: Cursor? = nil
  ) async throws -> Page<Comment> {
    var call = Call(.listComments, "\(id)")
    call.query = [
      "sort": sort.rawValue, "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  /// Adds a comment of 1 to 1000 characters to a meme.
  public func comment(
    on id: Meme.ID, _ text: String, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> Comment {
    try await value(Call(.writeComment, "\(id)").with(json: ["text": text], key: key))
  }

  public func comment(_ id: Comment.ID) async throws -> Comment {
    try await value(Call(.getComment, "\(id)"))
  }

  /// Replaces the text of one of the signed-in user's comments.
  public func edit(_ id: Comment.ID, _ text: String) async throws -> Comment {
    try await value(Call(.editComment, "\(id)").with(json: ["text": text]))
  }

  public func delete(_ id: Comment.ID) async throws {
    try await perform(Call(.deleteComment, "\(id)"))
  }
}
