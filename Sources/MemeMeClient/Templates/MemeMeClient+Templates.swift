extension MemeMeClient {
  /// Returns the templates, newest first.
  public func templates(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Template> {
    try await list(Call(.listTemplates), limit, cursor)
  }

  /// Creates a template: a picture that everyone can make memes from.
  ///
  /// - Parameter altText: The text alternative for screen readers. If `nil`, the name is used.
  /// - Returns: The template. If the caller is not signed in, also the token that permits deleting it.
  public func keepTemplate(
    _ picture: Picture, name: String, altText: String? = nil,
    key: IdempotencyKey = IdempotencyKey(), progress: UploadProgress.Handler? = nil
  ) async throws -> (template: Template, deleteToken: Token?) {
    var form = MultipartForm()
    form.add("name", name)
    form.add("altText", altText)
    form.add("image", picture: picture)
    var call = Call(.createTemplate)
    call.key = key
    call.body = try form.body()
    call.progress = progress
    let answer = try await answer(call)
    return (try answer.decoded(), answer.head["Meme-Delete-Token"].map(Token.init))
  }

  public func template(_ id: Template.ID) async throws -> Template {
    try await value(Call(.getTemplate, "\(id)"))
  }

  /// Permanently deletes a template. Memes made from it are kept.
  public func delete(_ id: Template.ID) async throws {
    try await perform(Call(.deleteTemplate, "\(id)"))
  }

  /// Downloads the picture of a template.
  public func image(_ id: Template.ID) async throws -> PictureFile {
    try await picture(Call(.getTemplateImage, "\(id)"))
  }

  /// Downloads the thumbnail of a template, at most 512 pixels on its longest edge.
  public func thumbnail(_ id: Template.ID) async throws -> PictureFile {
    try await picture(Call(.getTemplateThumbnail, "\(id)"))
  }
}
