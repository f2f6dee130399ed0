package import Bytes

/// Takes pictures ahead of the memes that are made of them.
package struct Uploading: Sendable {
  private let store: any UploadStore
  private let reader: any PictureReader
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> UploadID
  private let room: StorageRoom

  /// - Parameters:
  ///   - newID: gives ids that nobody can guess.
  package init(
    store: any UploadStore, reader: any PictureReader, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> UploadID,
    room: StorageRoom
  ) {
    (self.store, self.reader, self.retrying) = (store, reader, retrying)
    (self.now, self.newID, self.room) = (now, newID, room)
  }

  /// Keeps the picture for a day. When this returns, it is durable.
  ///
  /// The file's head is read, not its pixels: what is broken behind it shows when something is drawn.
  ///
  /// - Parameters:
  ///   - viewer: with whom it goes where that is a person.
  ///   - retry: set where the request came with a key.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``; and what the reader and the
  ///   store throw.
  package func keep(
    _ picture: Bytes, by viewer: Viewer, under retry: Retry<Upload>? = nil
  ) async throws(MemeError) -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) { () async throws(MemeError) in
      try await room.check(for: viewer)
      let facts = try await facts(of: picture)
      let time = now()
      let upload = Upload(id: newID(), picture: facts, expiresAt: Upload.expiry(madeAt: time))
      let answer = retry?.first(making: upload, id: upload.id.uuid, at: time)
      let first = try await room.storing(
        picture.count, for: viewer, isStored: { $0 == nil }
      ) { () throws(MemeError) in
        try await store.insert(upload, picture, by: viewer, answering: answer, at: time)
      }
      guard let first else { return .kept(upload) }
      return .repeated(try first.repeated(for: retry?.request))
    }
  }

  private func facts(of picture: Bytes) async throws(MemeError) -> PictureFacts {
    do throws(MemeError) { return try await reader.facts(of: picture) } catch {
      // The whole body is the picture.
      guard case .invalid("image", let value) = error else { throw error }
      throw .invalid(field: "body", value)
    }
  }

  /// What came of an upload.
  package enum Outcome: Sendable {
    case kept(Upload)
    /// The same request was answered before.
    case repeated(FirstAnswer)
  }
}

/// What ``Uploading`` needs of something that reads pictures.
package protocol PictureReader: Sendable {
  /// What the file says of itself, and its digest; its pixels are not decoded.
  ///
  /// - Throws: ``MemeError/unsupportedPicture``, ``MemeError/invalid(field:_:)`` (field `image`: a broken head, too many
  ///   pixels), ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func facts(of picture: Bytes) async throws(MemeError) -> PictureFacts
}
