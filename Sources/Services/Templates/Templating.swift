package import Bytes
package import Memes
package import Rendering
package import Storage

/// Stores, lists and deletes templates.
package struct Templating: Sendable {
  private let store: TemplateStore
  private let copier: PooledRenderer
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> TemplateID
  private let room: StorageRoom

  package init(
    store: TemplateStore, copier: PooledRenderer, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> TemplateID,
    room: StorageRoom
  ) {
    (self.store, self.copier, self.retrying) = (store, copier, retrying)
    (self.now, self.newID, self.room) = (now, newID, room)
  }

  /// Stores a public copy of the picture as a template. On return, it is durable.
  ///
  /// - Parameters:
  ///   - altText: `nil` uses the name.
  ///   - viewer: becomes the author if it is a signed-in user.
  ///   - retry: set if the request has an idempotency key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``; the errors of the copier
  ///   and of the store.
  package func keep(
    _ picture: Bytes, name: TemplateName, altText: AltText?, by viewer: Principal,
    under retry: Retry<Template>? = nil
  ) async throws -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) {
      try await room.check(for: viewer)
      let files = try await copier.template(of: picture)
      let time = now()
      let template = Template(
        id: newID(time), name: name, altText: altText ?? AltText(stored: name.text),
        createdAt: time, picture: files.picture.facts, thumbnail: files.thumbnail.facts)
      let answer = retry?.first(making: template, id: template.id.uuid, at: time)
      let first = try await room.storing(
        template.byteCount, for: viewer, isStored: { $0 == nil }
      ) {
        try await store.insert(template, files, by: viewer, answering: answer)
      }
      guard let first else { return .kept(template) }
      return .repeated(try first.repeated(for: retry?.request))
    }
  }

  /// A page of all templates, newest first.
  package func page(
    after position: ListPosition?, limit: PageLimit
  ) async throws -> Page<Template> {
    try await store.templates(after: position, limit: limit.count)
  }

  package func template(_ id: TemplateID) async throws -> Template {
    try await store.template(id)
  }

  package func picture(
    _ role: TemplateRole, of id: TemplateID
  ) throws -> PictureFile {
    try store.picture(role, of: id)
  }

  /// Deletes the template for good. Memes made from it have their own copy. On return, the deletion is durable.
  ///
  /// - Parameter request: the request ID, for the audit log.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer does not own the template.
  package func delete(
    _ id: TemplateID, by viewer: Principal, request: String
  ) async throws {
    try await store.delete(
      id, by: viewer,
      recording: AuditEntry(at: now(), viewer, .deleteTemplate, .template(id), request))
  }

  /// The number of templates without an author.
  package func anonymousCount() async throws -> Int {
    try await store.anonymousCount()
  }

  /// Deletes all templates without an author that existed when the call began, in batches.
  ///
  /// - Returns: the number of deleted templates. The audit log has one entry for all of them.
  /// - Throws: ``MemeError/overloaded(retryAfter:)`` if the task was canceled. Completed batches are not undone.
  package func deleteAnonymous(by authority: Authority) async throws -> Int {
    let entry = AuditEntry(
      at: now(), authority, .deleteTemplates, nil,
      AuditDetails(filter: MemeFilter(maker: .nobody), count: 0))
    var run = try await store.deleteAnonymous(continuing: nil, recording: entry, .standard)
    while !run.isOver {
      guard !Task.isCancelled else { throw MemeError.overloaded() }
      run = try await store.deleteAnonymous(continuing: run, recording: entry, .standard)
    }
    return run.count
  }

  /// The result of creating a template.
  package enum Outcome: Sendable {
    case kept(Template)
    /// The stored response of an earlier request with the same key.
    case repeated(IdempotencyRecord)
  }
}
