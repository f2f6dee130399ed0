package import Bytes

/// What ``Resuming`` needs of a store of uploads. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol UnfinishedUploadStore: Sendable {
  /// Keeps that an upload is begun.
  ///
  /// - Parameters:
  ///   - viewer: with whom it goes where that is a person.
  ///   - beginner: stands for whose uploads are counted together.
  /// - Throws: ``MemeError/tooManyUploads(waitSeconds:)`` where that is one too many; ``MemeError/unauthorized`` where the person left
  ///   meanwhile.
  func begin(
    _ upload: UploadProgress, by viewer: Viewer, countedFor beginner: Digest,
    within bound: UnfinishedBound, at time: Timestamp
  ) async throws(MemeError)

  /// How far an upload has come, read on the calling thread; `nil` where it has expired or never was.
  func progress(of id: UploadID, at time: Timestamp) throws(MemeError) -> UploadProgress?

  /// Keeps a piece that does not end the upload. When this returns it survives a crash of the machine.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/offsetMismatch`` where the upload does not go on at `offset`.
  func append(
    _ piece: Bytes, to id: UploadID, at offset: Int, until expiry: Timestamp, at time: Timestamp
  ) async throws(MemeError)

  /// Adds the pieces that are there to the end of the spool, read on the calling thread.
  ///
  /// - Throws: ``MemeError/offsetMismatch`` where they are not `offset` bytes together.
  func collect(_ id: UploadID, upTo offset: Int, into spool: Spool) throws(MemeError)

  /// Makes an upload of one that is whole, with these bytes in place of its pieces.
  ///
  /// - Throws: as ``append(_:to:at:until:at:)``.
  func finish(
    _ upload: Upload, _ bytes: Bytes, after offset: Int, at time: Timestamp
  ) async throws(MemeError)

  /// Removes an upload, be it whole or not, with its bytes.
  ///
  /// - Returns: whether there was one.
  func remove(_ id: UploadID, at time: Timestamp) async throws(MemeError) -> Bool
}
