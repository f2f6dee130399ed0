/// Stores templates and their files. Each call is one transaction. Changes are durable on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol TemplateStore: Sendable {
  /// Stores the template and its files.
  ///
  /// - Parameters:
  ///   - viewer: becomes the author if it is a signed-in user.
  ///   - answer: stored together with the template.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/quotaExceeded(_:)``; ``MemeError/unauthorized`` if the account was deleted.
  func insert(
    _ template: Template, _ files: TemplateFiles, by viewer: Principal,
    answering answer: IdempotencyRecord?
  ) async throws -> IdempotencyRecord?

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func template(_ id: TemplateID) async throws -> Template

  /// A page of all templates, newest first.
  func templates(
    after position: ListPosition?, limit: Int
  ) async throws -> Page<Template>

  /// A page of the user's templates, newest first.
  func templates(
    of person: UserID, after position: ListPosition?, limit: Int
  ) async throws -> Page<Template>

  /// One of the template's files, read on the calling thread.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func picture(_ role: TemplateRole, of id: TemplateID) throws -> PictureFile

  /// Deletes the template and its files for good.
  ///
  /// - Parameter entry: written in the same transaction if the template is not the viewer's own.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the template.
  func delete(
    _ id: TemplateID, by viewer: Principal, recording entry: AuditEntry?
  ) async throws

  /// The number of templates without an author.
  func anonymousCount() async throws -> Int

  /// Deletes one batch of the templates without an author.
  ///
  /// - Parameters:
  ///   - run: the result of the previous batch; `nil` for the first one.
  ///   - entry: written with the first batch. Each batch updates its count.
  func deleteAnonymous(
    continuing run: BulkRun?, recording entry: AuditEntry, _ batch: PurgeBatch
  ) async throws -> BulkRun
}

/// The files of a new template.
package struct TemplateFiles: Sendable {
  package let picture: PictureFile
  package let thumbnail: PictureFile

  package init(picture: PictureFile, thumbnail: PictureFile) {
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }
}
