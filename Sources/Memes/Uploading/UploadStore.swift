package import Bytes

/// Stores complete uploads. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol UploadStore: Sendable {
  /// Stores the upload with its bytes. On return, it is durable.
  ///
  /// - Parameters:
  ///   - viewer: owns the upload if it is a signed-in user.
  ///   - answer: stored together with the upload.
  ///   - time: the creation time.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/quotaExceeded(_:)``; ``MemeError/unauthorized`` if the account was deleted.
  func insert(
    _ upload: Upload, _ bytes: Bytes, by viewer: Principal, answering answer: IdempotencyRecord?,
    at time: Timestamp
  ) async throws -> IdempotencyRecord?

  /// The upload without its bytes; `nil` if it has expired or never existed.
  func upload(_ id: UploadID, at time: Timestamp) async throws -> Upload?

  /// The upload's bytes, read on the calling thread; `nil` if it has expired or never existed.
  func bytes(of id: UploadID, at time: Timestamp) throws -> Bytes?

  /// Deletes one batch of expired uploads, oldest first.
  ///
  /// - Returns: the number of deleted uploads; 0 if nothing is left to delete.
  func purgeUploads(expiredAt time: Timestamp, _ batch: PurgeBatch) async throws -> Int
}
