package import Bytes
import Crypto
package import Memes
package import Storage

/// Stores pictures that are uploaded before the memes that use them.
package struct Uploads: Sendable {
  private let store: UploadStore
  private let reader: any PictureReader
  private let room: StorageRoom
  private let idempotency: Idempotency
  private let now: @Sendable () -> Timestamp

  package init(
    store: UploadStore, reader: any PictureReader, room: StorageRoom, idempotency: Idempotency,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.reader, self.room) = (store, reader, room)
    (self.idempotency, self.now) = (idempotency, now)
  }

  /// Stores the picture for a day. On return, it is durable.
  ///
  /// Only the header of the file is read. Damaged pixel data is noticed when the picture is drawn.
  ///
  /// - Parameters:
  ///   - viewer: owns the upload if it is a signed-in user.
  ///   - request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``; the errors of the reader
  ///   and of the store.
  package func keep(
    _ picture: Bytes, by viewer: Principal, under request: IdempotentRequest<Upload>? = nil
  ) async throws -> Outcome {
    try await idempotency.perform(request, repeated: Outcome.repeated) {
      try await room.check(for: viewer)
      let facts = try await facts(of: picture)
      let time = now()
      let upload = Upload(
        id: UploadID(Random.uuid()), picture: facts, expiresAt: Upload.expiry(madeAt: time))
      let record = request?.record(of: upload, id: upload.id.uuid, at: time)
      let first = try await room.storing(
        picture.count, for: viewer, isStored: { $0 == nil }
      ) {
        try await store.insert(upload, picture, by: viewer, recording: record, at: time)
      }
      guard let first else { return .kept(upload) }
      return .repeated(try first.repeated(for: request?.digest))
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
