extension MemeMeClient {
  /// Makes a meme and keeps it. When this returns, it survives whatever happens to the server.
  ///
  /// Where the answer is lost, the same request is sent again, and the meme is made once.
  ///
  /// - Parameters:
  ///   - key: to be kept beside the draft, where the call is to be made again after the app was ended.
  ///   - progress: is told how much of the request is sent.
  /// - Throws: a problem: `idTaken` where the draft's id names another meme, `gone` where it names a deleted one, and
  ///   `invalidInput` with every field that cannot be taken.
  public func publish(
    _ draft: MemeDraft, key: IdempotencyKey = IdempotencyKey(),
    progress: UploadProgress.Handler? = nil
  ) async throws -> PublishedMeme {
    var call = Call(.createMeme)
    call.key = key
    call.body = try draft.body()
    call.progress = progress
    let answer = try await answer(call)
    return PublishedMeme(
      meme: try answer.decoded(), deleteToken: answer.head["Meme-Delete-Token"].map(Token.init),
      isNew: answer.head.status == 201 && answer.head["Idempotent-Replayed"] == nil)
  }

  /// Draws a meme without keeping it.
  ///
  /// - Returns: the picture's file.
  public func preview(
    _ draft: MemeDraft, progress: UploadProgress.Handler? = nil
  ) async throws -> PictureFile {
    var draft = draft
    draft.id = nil
    var call = Call(.previewMeme)
    call.accept = "image/*"
    call.body = try draft.body()
    call.progress = progress
    return try await picture(call)
  }

  /// One meme.
  ///
  /// - Throws: a problem: `notFound` where it is not there for whoever asks, `gone` where it is deleted.
  public func meme(_ id: Meme.ID) async throws -> Meme {
    try await value(Call(.getMeme, "\(id)"))
  }

  /// Memes that whoever asks may see, a page at a time.
  ///
  /// - Parameters:
  ///   - view: how much is told of each: ``Meme``, ``MemeRow`` or ``MemeCell``.
  ///   - limit: how many a page has at most, 1 to 100; 30 for `nil`.
  ///   - cursor: of the page before; `nil` for the first.
  public func memes<Item: MemeView>(
    _ query: MemeQuery = MemeQuery(), as view: Item.Type = Meme.self, limit: Int? = nil,
    after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    var call = Call(.listMemes)
    call.query = [
      "q": query.words, "author": query.author, "sort": query.sort?.rawValue, "view": Item.view,
      "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  /// What those have made whom one follows, and oneself, newest first.
  public func feed<Item: MemeView>(
    as view: Item.Type = Meme.self, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    try await list(Call(.getFeed), limit, cursor, view: Item.view)
  }

  /// Changes a meme; it is drawn anew from its original.
  ///
  /// It is made once: where the answer is lost, the caller finds out by ``meme(_:)``, or asks again for the same version.
  ///
  /// - Parameter version: the version that is meant; any, for `nil`.
  /// - Throws: a problem: `preconditionFailed` where the meme is at another version, with what it is now in ``Problem/current``.
  public func edit(
    _ id: Meme.ID, _ edit: MemeEdit, ifVersion version: Int? = nil
  ) async throws -> Meme {
    var call = Call(.editMeme, "\(id)")
    call.version = version
    try call.send(edit)
    return try await value(call)
  }

  /// Changes a meme and gives it another picture.
  public func edit(
    _ id: Meme.ID, _ fields: MemeFields = MemeFields(), picture: Picture,
    ifVersion version: Int? = nil, progress: UploadProgress.Handler? = nil
  ) async throws -> Meme {
    var form = MultipartForm()
    try fields.add(to: &form)
    form.add("image", picture: picture)
    var call = Call(.editMeme, "\(id)")
    call.version = version
    call.body = try form.body()
    call.progress = progress
    return try await value(call)
  }

  /// Deletes a meme. It can be restored for some days.
  ///
  /// - Parameter version: the version that is meant; any, for `nil`.
  /// - Throws: a problem: `gone` where it was deleted before, also by this call where its first answer was lost.
  public func delete(_ id: Meme.ID, ifVersion version: Int? = nil) async throws {
    var call = Call(.deleteMeme, "\(id)")
    call.version = version
    try await perform(call)
  }

  /// Undoes a deletion.
  public func restore(_ id: Meme.ID) async throws -> Meme {
    try await value(Call(.restoreMeme, "\(id)"))
  }

  /// Makes an anonymous meme one's own.
  public func claim(_ id: Meme.ID, _ deleteToken: Token) async throws -> Meme {
    var call = Call(.claimMeme, "\(id)")
    try call.send(["deleteToken": deleteToken])
    return try await value(call)
  }

  /// A page of a list.
  func list<Item: Decodable & Sendable>(
    _ call: Call, _ limit: Int?, _ cursor: Cursor?, view: String? = nil
  ) async throws -> Page<Item> {
    var call = call
    call.query = ["view": view, "limit": limit.map(String.init), "cursor": cursor?.text]
    return try await value(call)
  }
}
