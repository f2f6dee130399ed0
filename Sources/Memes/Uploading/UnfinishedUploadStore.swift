package import Bytes

/// Stores unfinished uploads. Each call is one transaction. Changes are durable on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``. Methods that store bytes may also throw ``MemeError/quotaExceeded(_:)``.
package protocol UnfinishedUploadStore: Sendable {
  /// Stores a new upload, without any bytes yet.
  ///
  /// - Parameters:
  ///   - viewer: owns the upload if it is a signed-in user.
  ///   - beginner: identifies the caller whose uploads count toward `bound`.
  /// - Throws: ``MemeError/tooManyUploads(waitSeconds:)`` if the upload exceeds `bound`; ``MemeError/unauthorized``
  ///   if the account was deleted.
  func begin(
    _ upload: UploadProgress, by viewer: Principal, countedFor beginner: Digest,
    within bound: UnfinishedUploadLimit, at time: Timestamp
  ) async throws

  /// The progress of an upload; `nil` if it has expired or never existed.
  func progress(of id: UploadID, at time: Timestamp) async throws -> UploadProgress?

  /// Stores a piece that does not complete the upload.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/offsetMismatch`` if the upload does not continue at `offset`.
  func append(
    _ piece: Bytes, to id: UploadID, at offset: Int, until expiry: Timestamp, at time: Timestamp
  ) async throws

  /// Appends the stored pieces to the spool, read on the calling thread.
  ///
  /// - Throws: ``MemeError/offsetMismatch`` if the pieces do not have `offset` bytes in total.
  func collect(_ id: UploadID, upTo offset: Int, into spool: Spool) async throws

  /// Completes an upload. All of its bytes replace its pieces.
  ///
  /// - Throws: the same errors as ``append(_:to:at:until:at:)``.
  func finish(
    _ upload: Upload, _ bytes: Bytes, after offset: Int, at time: Timestamp
  ) async throws

  /// Deletes an upload and its bytes, whether it is complete or not.
  ///
  /// - Returns: whether the upload existed.
  func remove(_ id: UploadID, at time: Timestamp) async throws -> Bool
}
