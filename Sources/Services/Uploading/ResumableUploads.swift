package import Bytes
import Crypto
package import Memes

/// Resumable uploads, for unreliable networks: all received bytes are kept, and the next piece continues after them.
///
/// Any client that knows the ID of an upload may continue and use it.
package struct ResumableUploads: Sendable {
  private let store: any UnfinishedUploadStore
  private let reader: any PictureReader
  private let place: SpoolPlace
  private let limit: UnfinishedUploadLimit
  private let room: StorageRoom
  private let context: ServiceContext
  private let arriving = UploadChunks()
  private let reserved = ReservedBytes()

  /// - Parameters:
  ///   - place: the location of the buffers for pieces that are being received.
  ///   - limit: the limit of unfinished uploads per caller.
  package init(
    store: any UnfinishedUploadStore, reader: any PictureReader, place: SpoolPlace,
    limit: UnfinishedUploadLimit, room: StorageRoom, context: ServiceContext
  ) {
    (self.store, self.reader, self.place) = (store, reader, place)
    (self.limit, self.room, self.context) = (limit, room, context)
  }

  /// Begins an upload of `byteCount` bytes, at least 1. On return, it is durable.
  ///
  /// - Parameters:
  ///   - viewer: a signed-in user owns the upload, and it counts toward their limit.
  ///   - network: the upload counts toward the limit of this network if the viewer is not signed in.
  /// - Throws: ``MemeError/storageFull``, ``MemeError/tooManyUploads(waitSeconds:)``; the errors of the store.
  package func begin(
    byteCount: Int, by viewer: Principal, from network: ClientNetwork
  ) async throws -> UploadProgress {
    try await room.check(for: viewer)
    let time = context.now()
    let upload = UploadProgress(
      id: UploadID(Random.uuid()), byteCount: byteCount, offset: 0,
      expiresAt: Upload.expiry(madeAt: time))
    let beginner = Digest(of: Self.names(of: viewer, from: network), context.digest)
    // Counts the whole upload now, because later pieces may come from other networks.
    try await room.storing(byteCount, for: viewer, isStored: { true }) {
      try await store.begin(upload, by: viewer, countedFor: beginner, within: limit, at: time)
    }
    if room.isCounted(viewer) { reserved.note(upload.id, byteCount, of: network) }
    return upload
  }

  /// The progress of an upload.
  ///
  /// - Throws: ``MemeError/notFound``; the errors of the store.
  package func progress(of id: UploadID) async throws -> UploadProgress {
    guard let progress = try await store.progress(of: id, at: context.now()) else {
      throw MemeError.notFound
    }
    return progress
  }

  /// The same, after ending a piece in progress and storing its received bytes.
  ///
  /// The client wants to continue: its previous connection may be dead without the server having noticed.
  package func settledProgress(of id: UploadID) async throws -> UploadProgress {
    // An error of storing the piece is reported to the request that sent it.
    _ = await arriving[id]?.end().value
    return try await progress(of: id)
  }

  /// Begins the next piece of an upload.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/offsetMismatch`` if the upload does not continue at `offset`;
  ///   ``MemeError/uploadBusy`` if another piece is being received or stored.
  package func piece(of id: UploadID, at offset: Int) async throws -> UploadChunk {
    let claim = arriving.claim(id)
    // Read after the claim: the progress then stays valid until this piece is stored, because no other piece can be.
    let progress = try await progress(of: id)
    guard progress.offset == offset else { throw MemeError.offsetMismatch }
    guard let claim else { throw MemeError.uploadBusy }
    let piece = UploadChunk(
      room: progress.byteCount - offset, in: place, claim: claim,
      keep: { await keep($0, of: progress) })
    claim.begin(piece)
    return piece
  }

  /// Deletes an upload, complete or not. A piece that is being received fails at its end.
  ///
  /// - Throws: ``MemeError/notFound``; the errors of the store.
  package func remove(_ id: UploadID) async throws {
    guard try await store.remove(id, at: context.now()) else { throw MemeError.notFound }
    giveBack(id)
  }

  /// The bytes of a deleted upload no longer count for its network.
  private func giveBack(_ id: UploadID) {
    if let (bytes, network) = reserved.take(id) { room.giveBack(bytes, to: network) }
  }

  /// Waits until all received bytes are stored. Call it when no more pieces can arrive.
  package func settle() async {
    for piece in arriving.all { _ = await piece.end().value }
  }

  private static func names(of viewer: Principal, from network: ClientNetwork) -> [String] {
    switch viewer {
    case .admin: ["admin"]
    case .person(let id), .administrator(let id): ["person", id.description]
    case .anonymous, .deleteTokenHolder: ["network", network.text]
    }
  }
}

extension ResumableUploads {
  /// Stores a piece that was received when the upload was at `progress`. If the progress has changed since, the store
  /// rejects the piece.
  private func keep(_ piece: Bytes, of progress: UploadProgress) async -> UploadChunk.Outcome {
    do {
      guard !piece.isEmpty else { return .success(try await self.progress(of: progress.id)) }
      guard room.hasRoom() else { throw MemeError.storageFull }
      guard progress.offset + piece.count == progress.byteCount else {
        return .success(try await append(piece, to: progress))
      }
      return .success(try await finish(progress, with: piece))
    } catch { return .failure(error) }
  }

  private func append(
    _ piece: Bytes, to progress: UploadProgress
  ) async throws -> UploadProgress {
    let time = context.now()
    let next = UploadProgress(
      id: progress.id, byteCount: progress.byteCount, offset: progress.offset + piece.count,
      expiresAt: Upload.expiry(madeAt: time))
    try await store.append(
      piece, to: next.id, at: progress.offset, until: next.expiresAt, at: time)
    return next
  }

  /// Deletes the upload if it is not a picture. If the picture cannot be read or stored right now, stores all but the
  /// last byte, and the client sends that byte again. The client need not repeat the rest, and a complete upload has
  /// always been validated.
  private func finish(
    _ progress: UploadProgress, with last: Bytes
  ) async throws -> UploadProgress {
    do {
      let bytes = try await whole(progress, with: last)
      let facts = try await reader.facts(of: bytes)
      let time = context.now()
      let upload = Upload(
        id: progress.id, picture: facts, expiresAt: Upload.expiry(madeAt: time))
      try await store.finish(upload, bytes, after: progress.offset, at: time)
      return UploadProgress(upload)
    } catch {
      switch error {
      case MemeError.unsupportedPicture:
        _ = try await store.remove(progress.id, at: context.now())
        giveBack(progress.id)
      case MemeError.invalid(_, let value):
        _ = try await store.remove(progress.id, at: context.now())
        giveBack(progress.id)
        // The request body is the picture.
        throw MemeError.invalid(field: "body", value)
      case MemeError.notFound, MemeError.offsetMismatch: break
      default:
        if last.count > 1, let most = last.slice(0..<last.count - 1) {
          _ = try? await append(most, to: progress)
        }
      }
      throw error
    }
  }

  private func whole(
    _ progress: UploadProgress, with last: Bytes
  ) async throws -> Bytes {
    guard progress.offset > 0 else { return last }
    let spool = Spool(in: place)
    try await store.collect(progress.id, upTo: progress.offset, into: spool)
    do throws(Spool.Failure) {
      try spool.append(last)
      return try spool.finish()
    } catch { throw MemeError(error) }
  }
}
