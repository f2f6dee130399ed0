package import Memes
package import Storage

/// Draws memes from addresses. Nothing is stored: the pictures are only cached in memory.
package struct LinkedMemes: Sendable {
  private struct Key: Hashable {
    let template: TemplateID
    let version: Int
    let recipe: Recipe
    let format: OutputFormat

    /// A box has some numbers and names in addition to its text.
    var bytes: Int { recipe.texts.reduce(0) { $0 + 512 + $1.text.utf8.count } }
  }

  private let templates: TemplateStore
  private let drawing: MemeDrawing
  private let pictures: RecentPictures<Key>

  /// - Parameter cacheBytes: the maximum memory of the cached pictures.
  package init(templates: TemplateStore, drawing: MemeDrawing, cacheBytes: Int) {
    (self.templates, self.drawing) = (templates, drawing)
    pictures = RecentPictures(capacityBytes: cacheBytes, keyBytes: \.bytes)
  }

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func template(_ reference: TemplateReference) async throws -> Template {
    try await templates.template(reference)
  }

  /// The recipe of a linked meme.
  ///
  /// - Parameter field: the field of the request that has the texts, for errors.
  /// - Throws: ``MemeError/invalid(field:_:)``.
  package func recipe(
    with texts: [String], on template: Template, _ options: MemeLinkOptions,
    field: String = "lines"
  ) throws -> Recipe {
    do throws(InvalidValue) {
      return try options.recipe(with: texts, on: template, within: drawing.defaultMaxEdge)
    } catch { throw MemeError.invalid(field: field, error) }
  }

  /// The picture of a linked meme. A picture that is not in the cache is drawn at the caller's cost.
  ///
  /// - Throws: the errors of the renderer and of the store.
  package func picture(
    of template: Template, _ recipe: Recipe, as format: OutputFormat
  ) async throws -> PictureFile {
    let key = Key(
      template: template.id, version: template.version, recipe: recipe, format: format)
    return try await pictures.file(key) { [drawing] in
      try await drawing.draw(
        MemeDraft(picture: .template(template.id), recipe: recipe, format: format),
        for: .anonymous, thumbnails: false
      ).image
    }
  }
}
