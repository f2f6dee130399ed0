package import Bytes
import Foundation
package import Memes
package import Rendering
package import Storage

/// Makes templates from pictures, and deletes all templates without an author.
package struct Templates: Sendable {
  private let store: TemplateStore
  private let copier: PooledRenderer
  private let room: StorageRoom
  private let idempotency: Idempotency
  private let now: @Sendable () -> Timestamp

  package init(
    store: TemplateStore, copier: PooledRenderer, room: StorageRoom, idempotency: Idempotency,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.copier, self.room) = (store, copier, room)
    (self.idempotency, self.now) = (idempotency, now)
  }

  /// Stores a public copy of the picture as a template. On return, it is durable.
  ///
  /// - Parameters:
  ///   - altText: `nil` uses the name.
  ///   - viewer: becomes the author if it is a signed-in user.
  ///   - request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``; the errors of the copier
  ///   and of the store.
  package func keep(
    _ picture: Bytes, name: TemplateName, altText: AltText?, by viewer: Principal,
    under request: IdempotentRequest<Template>? = nil
  ) async throws -> Outcome {
    try await idempotency.perform(request, repeated: Outcome.repeated) {
      try await room.check(for: viewer)
      let files = try await copier.template(of: picture)
      let time = now()
      let template = Template(
        id: .version7(at: time, random: UUID()), name: name,
        altText: altText ?? AltText(stored: name.text), createdAt: time,
        picture: files.picture.facts, thumbnail: files.thumbnail.facts)
      let record = request?.record(of: template, id: template.id.uuid, at: time)
      let first = try await room.storing(
        template.byteCount, for: viewer, isStored: { $0 == nil }
      ) {
        try await store.insert(template, files, by: viewer, recording: record)
      }
      guard let first else { return .kept(template) }
      return .repeated(try first.repeated(for: request?.digest))
    }
  }

  /// Deletes all templates without an author that existed when the call began, in batches.
  ///
  /// - Returns: the number of deleted templates. The audit log has one entry for all of them.
  /// - Throws: ``MemeError/overloaded(retryAfter:)`` if the task was canceled. Completed batches are not undone.
  package func deleteAnonymous(by authority: Authority) async throws -> Int {
    let entry = AuditEntry(
      at: now(), authority, .deleteTemplates, nil,
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
