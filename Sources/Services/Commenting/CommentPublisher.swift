import Foundation
package import Memes
package import Storage

/// Creates comments on memes.
package struct CommentPublisher: Sendable {
  private let store: CommentStore
  private let memes: MemeStore
  private let context: ServiceContext

  package init(store: CommentStore, memes: MemeStore, context: ServiceContext) {
    (self.store, self.memes, self.context) = (store, memes, context)
  }

  /// Stores a comment. On return, the comment is durable and counted.
  ///
  /// - Parameter request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme;
  ///   ``MemeError/unauthorized`` if the account was deleted; ``MemeError/storageFull``;
  ///   ``MemeError/keyInUse``; ``MemeError/keyReused``.
  package func write(
    _ text: CommentText, on meme: MemeID, by viewer: Principal,
    under request: IdempotentRequest<Comment>? = nil
  ) async throws -> Outcome {
    try await context.idempotency.perform(request, repeated: Outcome.repeated) {
      guard context.hasRoom() else { throw MemeError.storageFull }
      guard let person = viewer.person, let author = try await memes.author(person) else {
        throw MemeError.unauthorized
      }
      let time = context.now()
      let comment = Comment(
        id: .version7(at: time, random: UUID()), on: meme, version: 1, author: author, text: text,
        createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
      let record = request?.record(of: comment, id: comment.id.uuid, at: time)
      let first = try await store.insert(comment, by: viewer, recording: record)
      guard let first else { return .written(comment) }
      return .repeated(try first.repeated(for: request?.digest))
    }
  }

  /// The result of creating a comment.
  package enum Outcome: Sendable {
    case written(Comment)
    /// The stored response of an earlier request with the same key.
    case repeated(IdempotencyRecord)
  }
}
