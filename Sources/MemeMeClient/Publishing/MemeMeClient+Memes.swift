extension MemeMeClient {
  /// Creates a meme. When the call returns, the meme is durable on the server.
  ///
  /// If the response is lost, the client repeats the request, and the server creates the meme only once.
  ///
  /// - Parameters:
  ///   - key: The idempotency key. Store it with the draft to repeat the call after the app has ended.
  ///   - progress: A callback for upload progress.
  /// - Throws: A problem with the code `idTaken` if the draft's ID belongs to another meme, `gone` if it belongs to a
  ///   deleted meme, or `invalidInput` with every invalid field.
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

  /// Renders a meme without storing it.
  ///
  /// - Returns: The rendered image.
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

  /// Returns a meme.
  ///
  /// - Throws: A problem with the code `notFound` if the caller cannot see such a meme, or `gone` if it is deleted.
  public func meme(_ id: Meme.ID) async throws -> Meme {
    try await value(Call(.getMeme, "\(id)"))
  }

  /// Returns a page of the memes that the caller may see.
  ///
  /// - Parameters:
  ///   - view: The level of detail: ``Meme``, ``MemeRow`` or ``MemeCell``.
  ///   - limit: The maximum number of memes per page, from 1 to 100. The default is 30.
  ///   - cursor: The cursor of the previous page; `nil` for the first page.
  public func memes<Item: MemeView>(
    _ query: MemeQuery = MemeQuery(), as view: Item.Type = Meme.self, limit: Int? = nil,
    after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    var call = Call(.listMemes)
    call.query = [
      "q": query.words, "author": query.author, "tag": query.tag, "sort": query.sort?.rawValue,
      "view": Item.view,
      "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  /// Returns the memes of the signed-in user and of the people they follow, newest first.
  public func feed<Item: MemeView>(
    as view: Item.Type = Meme.self, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    try await list(Call(.getFeed), limit, cursor, view: Item.view)
  }

  /// Returns the memes with the picture of a meme that the caller can see, newest first.
  public func remixes<Item: MemeView>(
    of id: Meme.ID, as view: Item.Type = Meme.self, limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Item> {
    try await list(Call(.listRemixes, "\(id)"), limit, cursor, view: Item.view)
  }

  /// Edits a meme. The server renders it again from its original.
  ///
  /// The client does not repeat the request. If the response is lost, check the meme with ``meme(_:)``, or repeat the
  /// edit for the same version.
  ///
  /// - Parameter version: The required version of the meme; `nil` for any.
  /// - Throws: A problem with the code `preconditionFailed` if the meme has another version, with the current meme in
  ///   ``Problem/current``.
  public func edit(
    _ id: Meme.ID, _ edit: MemeEdit, ifVersion version: Int? = nil
  ) async throws -> Meme {
    var call = try Call(.editMeme, "\(id)").with(json: edit)
    call.version = version
    return try await value(call)
  }

  /// Edits a meme and replaces its picture.
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
  /// - Parameter version: The required version of the meme; `nil` for any.
  /// - Throws: A problem with the code `gone` if the meme is already deleted. This can be the effect of the same call
  ///   if its first response was lost.
  public func delete(_ id: Meme.ID, ifVersion version: Int? = nil) async throws {
    var call = Call(.deleteMeme, "\(id)")
    call.version = version
    try await perform(call)
  }

  /// Restores a deleted meme.
  public func restore(_ id: Meme.ID) async throws -> Meme {
    try await value(Call(.restoreMeme, "\(id)"))
  }

  /// Transfers an anonymous meme to the signed-in user.
  public func claim(_ id: Meme.ID, _ deleteToken: Token) async throws -> Meme {
    try await value(Call(.claimMeme, "\(id)").with(json: ["deleteToken": deleteToken]))
  }

  /// Returns a page of a list.
  func list<Item: Decodable & Sendable>(
    _ call: Call, _ limit: Int?, _ cursor: Cursor?, view: String? = nil
  ) async throws -> Page<Item> {
    var call = call
    call.query = ["view": view, "limit": limit.map(String.init), "cursor": cursor?.text]
    return try await value(call)
  }
}
