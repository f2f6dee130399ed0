public import Foundation

extension MemeMeClient {
  /// Returns the templates that match a query; by default all of them, newest first.
  public func templates(
    _ query: TemplateQuery = TemplateQuery(), limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Template> {
    var call = Call(.listTemplates)
    call.query = [
      "q": query.words, "tag": query.tag, "sort": query.isByPopularity ? "popular" : nil,
      "limit": limit.map(String.init), "cursor": cursor?.text,
    ]
    return try await value(call)
  }

  /// Creates a template: a picture that everyone can make memes from.
  ///
  /// - Parameter altText: The text alternative for screen readers. If `nil`, the name is used.
  /// - Returns: The template. If the caller is not signed in, also the token that permits deleting it.
  public func keepTemplate(
    _ picture: Picture, name: String, altText: String? = nil,
    key: IdempotencyKey = IdempotencyKey(), progress: UploadProgress.Handler? = nil
  ) async throws -> (template: Template, deleteToken: Token?) {
    try await keepTemplate(
      .image(picture), TemplateFields(name: name, altText: altText), key: key, progress: progress)
  }

  /// Creates a template from a picture, an upload, or the visible part of a meme's picture.
  ///
  /// - Parameter source: Not a template. A meme of another author must be public.
  /// - Returns: The template. If the caller is not signed in, also the token that permits deleting it.
  /// - Throws: A problem with the code `aliasTaken`, or another error.
  public func keepTemplate(
    _ source: MemeDraft.Source, _ fields: TemplateFields, key: IdempotencyKey = IdempotencyKey(),
    progress: UploadProgress.Handler? = nil
  ) async throws -> (template: Template, deleteToken: Token?) {
    var form = MultipartForm()
    try fields.add(to: &form)
    source.add(to: &form)
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

  /// Returns the template with an alias.
  public func template(alias: String) async throws -> Template {
    try await value(Call(.getTemplate, alias))
  }

  /// Changes a template of the signed-in user, or any template as an admin.
  ///
  /// - Throws: A problem with the code `aliasTaken`, or another error.
  public func edit(_ id: Template.ID, _ edit: TemplateEdit) async throws -> Template {
    try await value(Call(.editTemplate, "\(id)").with(json: edit))
  }

  /// Permanently deletes a template. Memes made from it are kept.
  public func delete(_ id: Template.ID) async throws {
    try await perform(Call(.deleteTemplate, "\(id)"))
  }

  /// Returns the address at which the server draws a meme from a template, for chats and Markdown. Nothing is stored.
  ///
  /// - Parameters:
  ///   - texts: The texts of the boxes, in their order.
  ///   - width: The maximum width in pixels. If `nil`, the shorter edge has 600 pixels.
  public func link(
    to template: Template.ID, texts: [String], width: Int? = nil
  ) async throws -> URL {
    let link: Link = try await value(
      Call(.createLink).with(json: NewLink(template: "\(template)", texts: texts, width: width)))
    return link.url
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

private struct NewLink: Encodable {
  let template: String
  let texts: [String]
  let width: Int?
}

private struct Link: Decodable {
  let url: URL
}
