import Foundation
package import Memes
package import Rendering
package import Storage

/// Makes templates from pictures, and deletes all templates without an author.
package struct Templates: Sendable {
  private let store: TemplateStore
  private let drawing: MemeDrawing
  private let copier: PooledRenderer
  private let room: StorageRoom
  private let context: ServiceContext

  package init(
    store: TemplateStore, drawing: MemeDrawing, copier: PooledRenderer, room: StorageRoom,
    context: ServiceContext
  ) {
    (self.store, self.drawing, self.copier) = (store, drawing, copier)
    (self.room, self.context) = (room, context)
  }

  /// Stores a public copy of the picture as a template. On return, it is durable.
  ///
  /// - Parameters:
  ///   - source: a picture that the viewer may see. If it is that of a meme that must stay private, the template is
  ///     rejected, because everyone can see templates.
  ///   - copied: the places that are those of the meme or template that the picture comes from.
  ///   - viewer: becomes the author if it is a signed-in user.
  ///   - request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``;
  ///   ``MemeError/privateTemplate``; the errors of the copier and of the store.
  package func keep(
    _ source: PictureSource, _ fields: TemplateFields, copying copied: CopiedPlaces,
    by viewer: Principal,
    under request: IdempotentRequest<Template>? = nil
  ) async throws -> Outcome {
    try await context.idempotency.perform(request, repeated: Outcome.repeated) {
      try await room.check(for: viewer)
      let terms = try await drawing.terms(of: source, for: viewer.person, asking: viewer)
      guard !terms.isPrivateOnly else { throw MemeError.privateTemplate }
      // An alias may name another template in the next moment.
      let source = try await drawing.resolved(source)
      var fields = fields
      if !copied.isEmpty {
        let places = try await drawing.places(of: source, for: viewer)
        if copied.contains(.boxes) { fields.boxes = places.boxes }
        if copied.contains(.pictures) { fields.pictures = places.pictures }
      }
      let (template, files) = try await drawn(source, fields, for: viewer)
      try await drawing.confirm(terms, of: source, for: viewer.person, asking: viewer)
      let record = request?.record(of: template, id: template.id.uuid, at: template.createdAt)
      let first = try await room.storing(
        template.byteCount, for: viewer, isStored: { $0 == nil }
      ) {
        try await store.insert(template, files, by: viewer, recording: record)
      }
      guard let first else { return .kept(template) }
      return .repeated(try first.repeated(for: request?.digest))
    }
  }

  private func drawn(
    _ source: PictureSource, _ fields: TemplateFields, for viewer: Principal
  ) async throws -> (Template, TemplateFiles) {
    let picture = try await drawing.picture(of: source, for: viewer)
    let files: TemplateFiles
    do { files = try await copier.template(of: picture) } catch {
      // The process that draws does not know the request.
      guard case MemeError.invalid("image", let value) = error else { throw error }
      throw MemeError.invalid(field: source.field, value)
    }
    let time = context.now()
    let template = Template(
      id: .version7(at: time, random: UUID()), fields, createdAt: time, with: files)
    return (template, files)
  }

  /// Deletes all templates without an author that existed when the call began, in batches.
  ///
  /// - Returns: the number of deleted templates. The audit log has one entry for all of them.
  /// - Throws: ``MemeError/overloaded(retryAfter:)`` if the task was canceled. Completed batches are not undone.
  package func deleteAnonymous(by authority: Authority) async throws -> Int {
    let entry = AuditEntry(
      at: context.now(), authority, .deleteTemplates, nil,
      AuditDetails(filter: MemeFilter(author: .anonymous), count: 0))
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
