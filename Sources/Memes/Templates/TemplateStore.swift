/// What the use cases need of a store of templates. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol TemplateStore: Sendable {
  /// Keeps the template and its files. When this returns they survive a crash of the machine.
  ///
  /// - Parameters:
  ///   - viewer: whose it will be where that is a person.
  ///   - answer: is kept with the template, both or neither.
  /// - Returns: the answer that the key has already; then nothing was written.
  /// - Throws: ``MemeError/unauthorized`` where the person left meanwhile.
  func insert(
    _ template: Template, _ files: TemplateFiles, by viewer: Viewer,
    answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer?

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func template(_ id: TemplateID) async throws(MemeError) -> Template

  /// Templates, newest first.
  func templates(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Template>

  /// Those of one person, newest first.
  func templates(
    of person: UserID, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Template>

  /// One of the template's files, read on the calling thread.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func picture(_ role: TemplateRole, of id: TemplateID) throws(MemeError) -> PictureFile

  /// Removes the template and its files for good. When this returns it is durable.
  ///
  /// - Parameter entry: is written in the same transaction, where the template is not the viewer's own.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized``, ``MemeError/forbidden`` where the viewer
  ///   does not own it.
  func delete(
    _ id: TemplateID, by viewer: Viewer, recording entry: AuditEntry?
  ) async throws(MemeError)

  /// How many templates have no account.
  func anonymousCount() async throws(MemeError) -> Int

  /// Removes some of the templates without an account. When this returns that is durable.
  ///
  /// - Parameters:
  ///   - run: what the batch before made of it; `nil` for the first one.
  ///   - entry: is written with the first batch, and says with each how many there are by then.
  func deleteAnonymous(
    continuing run: BulkRun?, recording entry: AuditEntry, _ batch: PurgeBatch
  ) async throws(MemeError) -> BulkRun
}

/// The files of a new template.
package struct TemplateFiles: Sendable {
  package let picture: PictureFile
  package let thumbnail: PictureFile

  package init(picture: PictureFile, thumbnail: PictureFile) {
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }
}
