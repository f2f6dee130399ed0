extension MemeMeClient {
  /// Templates, newest first.
  public func templates(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Template> {
    try await list(Call(.listTemplates), limit, cursor)
  }

  /// Keeps a picture for everybody to make memes of.
  ///
  /// - Parameter altText: the name, for `nil`.
  /// - Returns: the template, and what deletes it where it is nobody's.
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

  /// Deletes a template, for good. Memes that were made of it stay.
  public func delete(_ id: Template.ID) async throws {
    try await perform(Call(.deleteTemplate, "\(id)"))
  }

  /// The template's picture.
  public func image(_ id: Template.ID) async throws -> PictureFile {
    try await picture(Call(.getTemplateImage, "\(id)"))
  }

  /// The template's picture, at most 512 pixels on its longest edge.
  public func thumbnail(_ id: Template.ID) async throws -> PictureFile {
    try await picture(Call(.getTemplateThumbnail, "\(id)"))
  }
}
