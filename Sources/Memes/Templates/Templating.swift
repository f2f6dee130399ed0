package import Bytes

/// Keeps pictures for everybody to make memes of.
package struct Templating: Sendable {
  private let store: any TemplateStore
  private let copier: any PictureCopier
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> TemplateID
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk takes more pictures; what is left below that is for deletions.
  package init(
    store: any TemplateStore, copier: any PictureCopier, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> TemplateID,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.copier, self.retrying) = (store, copier, retrying)
    (self.now, self.newID, self.hasRoom) = (now, newID, hasRoom)
  }

  /// Keeps what everybody may have of the picture. When this returns, it is durable.
  ///
  /// - Parameters:
  ///   - altText: `nil`: the name.
  ///   - viewer: whose it will be where that is a person.
  ///   - retry: set where the request came with a key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``; and what the copier and the
  ///   store throw.
  package func keep(
    _ picture: Bytes, name: TemplateName, altText: AltText?, by viewer: Viewer,
    under retry: Retry<Template>? = nil
  ) async throws(MemeError) -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) { () async throws(MemeError) in
      guard hasRoom() else { throw .storageFull }
      let files = try await copier.template(of: picture)
      let time = now()
      let template = Template(
        id: newID(time), name: name, altText: altText ?? AltText(stored: name.text),
        createdAt: time, picture: files.picture.facts, thumbnail: files.thumbnail.facts)
      let answer = retry?.first(making: template, id: template.id.uuid, at: time)
      let first = try await store.insert(template, files, by: viewer, answering: answer)
      guard let first else { return .kept(template) }
      return .repeated(try first.repeated(for: retry?.request))
    }
  }

  /// A page of all templates, newest first.
  package func page(
    after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<Template> {
    try await store.templates(after: position, limit: limit.count)
  }

  package func template(_ id: TemplateID) async throws(MemeError) -> Template {
    try await store.template(id)
  }

  package func picture(
    _ role: TemplateRole, of id: TemplateID
  ) throws(MemeError) -> PictureFile {
    try store.picture(role, of: id)
  }

  /// Deletes the template for good; memes that were made of it have their own copy. When this returns, it is durable.
  ///
  /// - Parameter request: names the request in the log of what admins do.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` where the viewer does not own it.
  package func delete(
    _ id: TemplateID, by viewer: Viewer, request: String
  ) async throws(MemeError) {
    try await store.delete(
      id, by: viewer,
      recording: AuditEntry(at: now(), viewer, .deleteTemplate, .template(id), request))
  }

  /// What came of a new template.
  package enum Outcome: Sendable {
    case kept(Template)
    /// The same request was answered before.
    case repeated(FirstAnswer)
  }
}

/// What ``Templating`` needs of something that draws.
package protocol PictureCopier: Sendable {
  /// What everybody may have of a picture: upright, in sRGB, without anything that its file says beside the pixels.
  ///
  /// - Throws: as ``MemeRenderer/render(_:)``.
  func template(of picture: Bytes) async throws(MemeError) -> TemplateFiles
}
