/// What the use cases need of a store of templates. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol TemplateStore: Sendable {
  /// Keeps the template and its files. When this returns they survive a crash of the machine.
  ///
  /// - Parameter answer: is kept with the template, both or neither.
  /// - Returns: the answer that the key has already; then nothing was written.
  func insert(
    _ template: Template, _ files: TemplateFiles, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer?

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func template(_ id: TemplateID) async throws(MemeError) -> Template

  /// Templates, newest first.
  func templates(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Template>

  /// One of the template's files, read on the calling thread.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func picture(_ role: TemplateRole, of id: TemplateID) throws(MemeError) -> PictureFile

  /// Removes the template and its files for good. When this returns it is durable.
  ///
  /// - Parameter entry: is written in the same transaction.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func delete(_ id: TemplateID, recording entry: AuditEntry?) async throws(MemeError)
}

/// The files of a new template.
package struct TemplateFiles: Sendable {
  package let picture: PictureFile
  package let thumbnail: PictureFile

  package init(picture: PictureFile, thumbnail: PictureFile) {
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }
}
