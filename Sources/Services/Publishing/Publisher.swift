import Foundation
package import Memes
package import Storage

/// Makes memes: draws the captions on the picture, and stores the result.
package struct Publisher: Sendable {
  private let store: MemeStore
  private let drawing: MemeDrawing
  private let room: StorageRoom
  private let context: ServiceContext

  package init(
    store: MemeStore, drawing: MemeDrawing, room: StorageRoom, context: ServiceContext
  ) {
    (self.store, self.drawing, self.room, self.context) = (store, drawing, room, context)
  }

  /// Draws the meme without storing it.
  package func preview(
    _ draft: MemeDraft, by viewer: Principal
  ) async throws -> PictureFile {
    var draft = draft
    draft.picture = try await drawing.resolved(draft.picture)
    draft.recipe = try await drawing.recipe(of: draft)
    let boxes = try await drawing.boxes(draft.boxed, copying: false)
    return try await drawing.draw(draft, boxes, for: viewer, thumbnails: false).image
  }

  /// Draws the meme and stores it. On return, it is durable.
  ///
  /// Sending the same draft with the same ID again has no further effect. A client may therefore repeat a
  /// request after it lost the response. With an idempotency key this also holds without an ID, and the first
  /// response is returned again.
  ///
  /// - Parameters:
  ///   - viewer: becomes the author if it is a signed-in user.
  ///   - request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/idTaken`` if another meme has the draft's ID; ``MemeError/gone`` if the meme with this ID
  ///   was deleted; ``MemeError/unauthorized`` if the account was deleted; ``MemeError/keyInUse`` and
  ///   ``MemeError/keyReused``; the errors of the renderer and of the store.
  package func publish(
    _ draft: MemeDraft, by viewer: Principal, under request: IdempotentRequest<MadeMeme>? = nil
  ) async throws -> Publication {
    try await context.idempotency.perform(request, repeated: Publication.repeated) {
      try await make(draft, by: viewer, under: request)
    }
  }

  private func make(
    _ draft: MemeDraft, by viewer: Principal, under request: IdempotentRequest<MadeMeme>?
  ) async throws -> Publication {
    if let id = draft.id, let stored = try await store.draftDigest(of: id, by: viewer) {
      return try await existing(id, stored, draft, nil, for: viewer)
    }
    try await room.check(for: viewer)
    let author = try await author(viewer)
    var draft = draft
    let terms = try await drawing.terms(of: draft.picture, for: author?.id, asking: viewer)
    if terms.isPrivateOnly, draft.leftToSettings.contains(.visibility) {
      draft.visibility = .private
    }
    guard draft.visibility == .private || !terms.isPrivateOnly else {
      throw MemeError.remixIsPrivate
    }
    // The digest is that of the alias and the texts as sent, because the alias may get another template, and the
    // template other boxes.
    var filled = draft
    filled.picture = try await drawing.resolved(draft.picture)
    filled.recipe = try await drawing.recipe(of: filled)
    let boxes = try await drawing.boxes(draft.boxed, copying: true)
    let rendered = try await drawing.draw(filled, boxes, for: viewer, thumbnails: true)
    try await drawing.confirm(terms, of: draft.picture, for: author?.id, asking: viewer)
    let time = context.now()
    var new = try drawing.newMeme(
      filled, rendered, id: draft.id ?? MemeID.version7(at: time, random: UUID()), by: author,
      at: time, draftDigest: draft.formDigest(picture: rendered.original.digest, context.digest))
    new.meme.isPrivateOnly = terms.isPrivateOnly
    new.boxed = try boxes.files(of: rendered)
    let made = MadeMeme(meme: new.meme, image: rendered.image)
    let record = request?.record(of: made, id: new.meme.id.uuid, at: time)
    let insertion = try await room.storing(
      new.byteCount, for: viewer, isStored: \.isInserted
    ) { [new] in try await store.insert(new, recording: record) }
    switch insertion {
    case .inserted: return .created(made)
    case .answered(let first):
      return .repeated(try first.repeated(for: request?.digest))
    case .taken(let stored):
      return try await existing(
        new.meme.id, stored, draft, rendered.original.digest, for: viewer)
    }
  }

  private func author(_ viewer: Principal) async throws -> Author? {
    guard let person = viewer.person else { return nil }
    guard let author = try await store.author(person) else { throw MemeError.unauthorized }
    return author
  }

  private func existing(
    _ id: MemeID, _ stored: Digest, _ draft: MemeDraft, _ picture: Digest?, for viewer: Principal
  ) async throws -> Publication {
    // Version 0.1.0 stored the digest of the draft after the user's settings were applied.
    guard
      stored == draft.formDigest(picture: picture, context.digest)
        || stored == draft.digest(picture: picture, context.digest)
    else { throw MemeError.idTaken }
    return .existing(try await store.meme(id, for: viewer))
  }
}

/// The result of publishing.
package enum Publication: Sendable {
  /// The meme is new.
  case created(MadeMeme)
  /// The same draft was published before.
  case existing(Meme)
  /// The stored response of an earlier request with the same key. The meme may have been changed or deleted since.
  case repeated(IdempotencyRecord)
}

/// A new meme with its rendered image.
package struct MadeMeme: Sendable {
  package let meme: Meme
  package let image: PictureFile
}
