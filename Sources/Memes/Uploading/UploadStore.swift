package import Bytes

/// What the use cases need of a store of uploads. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol UploadStore: Sendable {
  /// Keeps the upload with its bytes. When this returns they survive a crash of the machine.
  ///
  /// - Parameters:
  ///   - viewer: with whom it goes where that is a person.
  ///   - answer: is kept with the upload, both or neither.
  ///   - time: that it was made at.
  /// - Returns: the answer that the key has already; then nothing was written.
  /// - Throws: ``MemeError/unauthorized`` where the person left meanwhile.
  func insert(
    _ upload: Upload, _ bytes: Bytes, by viewer: Viewer, answering answer: FirstAnswer?,
    at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer?

  /// The upload, unless it has expired or never was. Its bytes are not touched.
  func upload(_ id: UploadID, at time: Timestamp) async throws(MemeError) -> Upload?

  /// The upload's bytes, read on the calling thread; `nil` where it has expired or never was.
  func bytes(of id: UploadID, at time: Timestamp) throws(MemeError) -> Bytes?

  /// Removes some of what has expired, the oldest first.
  ///
  /// - Returns: how many were removed; 0 where there are no more.
  func purgeUploads(expiredAt time: Timestamp, _ batch: PurgeBatch) async throws(MemeError) -> Int
}
