package import Bytes
package import Memes
package import Storage

/// Stores pictures that are uploaded before the memes that use them.
package struct Uploading: Sendable {
  private let store: UploadStore
  private let reader: any PictureReader
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> UploadID
  private let room: StorageRoom

  /// - Parameters:
  ///   - newID: returns random IDs that cannot be guessed.
  package init(
    store: UploadStore, reader: any PictureReader, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> UploadID,
    room: StorageRoom
  ) {
    (self.store, self.reader, self.retrying) = (store, reader, retrying)
    (self.now, self.newID, self.room) = (now, newID, room)
  }

  /// Stores the picture for a day. On return, it is durable.
  ///
  /// Only the header of the file is read. Damaged pixel data is noticed when the picture is drawn.
  ///
  /// - Parameters:
  ///   - viewer: owns the upload if it is a signed-in user.
  ///   - retry: set if the request has an idempotency key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``; the errors of the reader
  ///   and of the store.
  package func keep(
    _ picture: Bytes, by viewer: Principal, under retry: Retry<Upload>? = nil
  ) async throws -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) {
      try await room.check(for: viewer)
      let facts = try await facts(of: picture)
      let time = now()
      let upload = Upload(id: newID(), picture: facts, expiresAt: Upload.expiry(madeAt: time))
      let answer = retry?.first(making: upload, id: upload.id.uuid, at: time)
      let first = try await room.storing(
        picture.count, for: viewer, isStored: { $0 == nil }
      ) {
        try await store.insert(upload, picture, by: viewer, answering: answer, at: time)
      }
      guard let first else { return .kept(upload) }
      return .repeated(try first.repeated(for: retry?.request))
    }
  }

  private func facts(of picture: Bytes) async throws -> PictureFacts {
    do { return try await reader.facts(of: picture) } catch {
      // The request body is the picture.
      guard case MemeError.invalid("image", let value) = error else { throw error }
      throw MemeError.invalid(field: "body", value)
    }
  }

  /// The result of an upload.
  package enum Outcome: Sendable {
    case kept(Upload)
    /// The stored response of an earlier request with the same key.
    case repeated(IdempotencyRecord)
  }
}
