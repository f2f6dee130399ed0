import Bytes
import Memes
import Storage
import Synchronization

/// Uploads that pause after a lookup of the progress, and then return what it found.
final class PausingUploads: UnfinishedUploadStore {
  /// Yields after a lookup.
  let looked = AsyncStream.makeStream(of: Void.self)
  /// The lookup waits for it.
  let goOn = AsyncStream.makeStream(of: Void.self)
  private let uploads: UploadStore
  private let pauses = Mutex(false)

  init(_ uploads: UploadStore) { self.uploads = uploads }

  func pauseAfterTheNextLook() { pauses.withLock { $0 = true } }

  func progress(of id: UploadID, at time: Timestamp) async throws -> UploadProgress? {
    let progress = try await uploads.progress(of: id, at: time)
    let isToPause = pauses.withLock { pauses in
      defer { pauses = false }
      return pauses
    }
    if isToPause {
      looked.continuation.yield()
      for await _ in goOn.stream { break }
    }
    return progress
  }

  func begin(
    _ upload: UploadProgress, by viewer: Principal, countedFor beginner: Digest,
    within bound: UnfinishedUploadLimit, at time: Timestamp
  ) async throws {
    try await uploads.begin(upload, by: viewer, countedFor: beginner, within: bound, at: time)
  }

  func append(
    _ piece: Bytes, to id: UploadID, at offset: Int, until expiry: Timestamp, at time: Timestamp
  ) async throws {
    try await uploads.append(piece, to: id, at: offset, until: expiry, at: time)
  }

  func collect(_ id: UploadID, upTo offset: Int, into spool: Spool) async throws {
    try await uploads.collect(id, upTo: offset, into: spool)
  }

  func finish(
    _ upload: Upload, _ bytes: Bytes, after offset: Int, at time: Timestamp
  ) async throws {
    try await uploads.finish(upload, bytes, after: offset, at: time)
  }

  func remove(_ id: UploadID, at time: Timestamp) async throws -> Bool {
    try await uploads.remove(id, at: time)
  }
}
