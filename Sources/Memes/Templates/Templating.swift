package import Bytes

/// Keeps pictures for everybody to make memes of.
package struct Templating: Sendable {
  private let store: any TemplateStore
  private let copier: any PictureCopier
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> TemplateID
  private let room: StorageRoom

  package init(
    store: any TemplateStore, copier: any PictureCopier, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> TemplateID,
    room: StorageRoom
  ) {
    (self.store, self.copier, self.retrying) = (store, copier, retrying)
    (self.now, self.newID, self.room) = (now, newID, room)
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
      try await room.check(for: viewer)
      let files = try await copier.template(of: picture)
      let time = now()
      let template = Template(
        id: newID(time), name: name, altText: altText ?? AltText(stored: name.text),
        createdAt: time, picture: files.picture.facts, thumbnail: files.thumbnail.facts)
      let answer = retry?.first(making: template, id: template.id.uuid, at: time)
      let first = try await room.storing(
        template.byteCount, for: viewer, isStored: { $0 == nil }
      ) { () throws(MemeError) in
        try await store.insert(template, files, by: viewer, answering: answer)
      }
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

  /// How many templates have no account.
  package func anonymousCount() async throws(MemeError) -> Int {
    try await store.anonymousCount()
  }

  /// Deletes the templates without an account that were there when it began, batch by batch.
  ///
  /// - Returns: how many. The log has them as one act.
  /// - Throws: ``MemeError/overloaded(retryAfter:)`` if the task was cancelled: what was done stays done.
  package func deleteAnonymous(by authority: Authority) async throws(MemeError) -> Int {
    let entry = AuditEntry(
      at: now(), authority, .deleteTemplates, nil,
      AuditDetails(filter: MemeFilter(maker: .nobody), count: 0))
    var run = try await store.deleteAnonymous(continuing: nil, recording: entry, .standard)
    while !run.isOver {
      guard !Task.isCancelled else { throw .overloaded() }
      run = try await store.deleteAnonymous(continuing: run, recording: entry, .standard)
    }
    return run.count
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
