package import Bytes

/// Takes pictures in pieces, over networks that break: whatever arrived is there, and the next piece goes on behind it.
///
/// Who has an upload's id may go on with it, as they may use it.
package struct Resuming: Sendable {
  private let store: any UnfinishedUploadStore
  private let reader: any PictureReader
  private let place: SpoolPlace
  private let bound: UnfinishedBound
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> UploadID
  private let room: StorageRoom
  private let arriving = ArrivingPieces()
  private let reserved = ReservedBytes()

  /// - Parameters:
  ///   - place: where pieces wait while they arrive.
  ///   - bound: what one caller may have begun and not finished.
  ///   - newID: gives ids that nobody can guess.
  package init(
    store: any UnfinishedUploadStore, reader: any PictureReader, place: SpoolPlace,
    bound: UnfinishedBound, digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable () -> UploadID, room: StorageRoom
  ) {
    (self.store, self.reader, self.place, self.bound) = (store, reader, place, bound)
    (self.digest, self.now, self.newID, self.room) = (digest, now, newID, room)
  }

  /// Begins an upload of so many bytes, at least one. When this returns, that is durable.
  ///
  /// - Parameters:
  ///   - viewer: with whom it goes, and for whom it is counted, where that is a person.
  ///   - network: for which it is counted where nobody is signed in.
  /// - Throws: ``MemeError/storageFull``, ``MemeError/tooManyUploads(waitSeconds:)``, and what the store throws.
  package func begin(
    byteCount: Int, by viewer: Viewer, from network: ClientNetwork
  ) async throws(MemeError) -> UploadProgress {
    try await room.check(for: viewer)
    let time = now()
    let upload = UploadProgress(
      id: newID(), byteCount: byteCount, offset: 0, expiresAt: Upload.expiry(madeAt: time))
    let beginner = Digest(of: Self.names(of: viewer, from: network), digest)
    // All of it at once: pieces may come from anywhere.
    try await room.storing(byteCount, for: viewer, isStored: { true }) { () throws(MemeError) in
      try await store.begin(upload, by: viewer, countedFor: beginner, within: bound, at: time)
    }
    if room.isCounted(viewer) { reserved.note(upload.id, byteCount, of: network) }
    return upload
  }

  /// How far an upload has come.
  ///
  /// - Throws: ``MemeError/notFound``, and what the store throws.
  package func progress(of id: UploadID) throws(MemeError) -> UploadProgress {
    guard let progress = try store.progress(of: id, at: now()) else { throw .notFound }
    return progress
  }

  /// The same, after a piece that is on its way was ended and what arrived of it kept.
  ///
  /// Who asks wants to go on: their last connection may be dead without the server's knowing.
  package func settledProgress(of id: UploadID) async throws(MemeError) -> UploadProgress {
    // Why it could not be kept was told to who sent it, or to nobody.
    _ = await arriving[id]?.end().value
    return try progress(of: id)
  }

  /// Lets the next piece of an upload in. This reads one row on the calling thread.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/offsetMismatch`` where the upload does not go on at `offset`;
  ///   ``MemeError/uploadBusy`` while another piece is on its way or being kept.
  package func piece(of id: UploadID, at offset: Int) throws(MemeError) -> ArrivingPiece {
    let claim = arriving.claim(id)
    // Behind the claim: what is read now holds until this piece is kept, for no other one is.
    let progress = try progress(of: id)
    guard progress.offset == offset else { throw .offsetMismatch }
    guard let claim else { throw .uploadBusy }
    let piece = ArrivingPiece(
      room: progress.byteCount - offset, in: place, claim: claim,
      keep: { await keep($0, of: progress) })
    claim.begin(piece)
    return piece
  }

  /// Removes an upload, be it whole or not. A piece that is on its way finds that at its end.
  ///
  /// - Throws: ``MemeError/notFound``, and what the store throws.
  package func remove(_ id: UploadID) async throws(MemeError) {
    guard try await store.remove(id, at: now()) else { throw .notFound }
    giveBack(id)
  }

  /// The bytes of an upload that is gone count for its network no more.
  private func giveBack(_ id: UploadID) {
    if let (bytes, network) = reserved.take(id) { room.giveBack(bytes, to: network) }
  }

  /// Waits until what arrived is kept. Call it when no more pieces come.
  package func settle() async {
    for piece in arriving.all { _ = await piece.end().value }
  }

  private static func names(of viewer: Viewer, from network: ClientNetwork) -> [String] {
    switch viewer {
    case .admin: ["admin"]
    case .person(let id), .administrator(let id): ["person", id.description]
    case .anonymous, .holder: ["network", network.text]
    }
  }
}

extension Resuming {
  /// Keeps a piece that came when the upload was at `progress`; where that has changed, the store refuses it.
  private func keep(_ piece: Bytes, of progress: UploadProgress) async -> ArrivingPiece.Outcome {
    do throws(MemeError) {
      guard !piece.isEmpty else { return .success(try self.progress(of: progress.id)) }
      guard room.hasRoom() else { throw .storageFull }
      guard progress.offset + piece.count == progress.byteCount else {
        return .success(try await append(piece, to: progress))
      }
      return .success(try await finish(progress, with: piece))
    } catch { return .failure(error) }
  }

  private func append(
    _ piece: Bytes, to progress: UploadProgress
  ) async throws(MemeError) -> UploadProgress {
    let time = now()
    let next = UploadProgress(
      id: progress.id, byteCount: progress.byteCount, offset: progress.offset + piece.count,
      expiresAt: Upload.expiry(madeAt: time))
    try await store.append(
      piece, to: next.id, at: progress.offset, until: next.expiresAt, at: time)
    return next
  }

  /// What is no picture goes. What cannot be judged or kept at the moment stays but for its last byte, which is then asked for
  /// again: so much need not be sent again, and an upload that is whole is always one that was judged.
  private func finish(
    _ progress: UploadProgress, with last: Bytes
  ) async throws(MemeError) -> UploadProgress {
    do throws(MemeError) {
      let bytes = try whole(progress, with: last)
      let facts = try await reader.facts(of: bytes)
      let time = now()
      let upload = Upload(
        id: progress.id, picture: facts, expiresAt: Upload.expiry(madeAt: time))
      try await store.finish(upload, bytes, after: progress.offset, at: time)
      return UploadProgress(upload)
    } catch {
      switch error {
      case .unsupportedPicture:
        _ = try await store.remove(progress.id, at: now())
        giveBack(progress.id)
      case .invalid(_, let value):
        _ = try await store.remove(progress.id, at: now())
        giveBack(progress.id)
        // The whole body is the picture.
        throw .invalid(field: "body", value)
      case .notFound, .offsetMismatch: break
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
  ) throws(MemeError) -> Bytes {
    guard progress.offset > 0 else { return last }
    let spool = Spool(in: place)
    try store.collect(progress.id, upTo: progress.offset, into: spool)
    do throws(Spool.Failure) {
      try last.withUnsafeBytes { bytes throws(Spool.Failure) in try spool.append(bytes) }
      return try spool.finish()
    } catch { throw MemeError(error) }
  }
}
