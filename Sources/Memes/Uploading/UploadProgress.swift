/// The progress of a resumable upload, or of a complete one.
package struct UploadProgress: Sendable, Equatable {
  package let id: UploadID
  /// The size of the complete upload in bytes; at least 1.
  package let byteCount: Int
  /// The number of durable bytes. The next piece begins here.
  package let offset: Int
  /// The upload does not exist after this time.
  package let expiresAt: Timestamp
  /// The facts of the picture, once the upload is complete.
  package let picture: PictureFacts?

  package init(
    id: UploadID, byteCount: Int, offset: Int, expiresAt: Timestamp, picture: PictureFacts? = nil
  ) {
    (self.id, self.byteCount, self.offset) = (id, byteCount, offset)
    (self.expiresAt, self.picture) = (expiresAt, picture)
  }

  package init(_ upload: Upload) {
    self.init(
      id: upload.id, byteCount: upload.picture.byteCount, offset: upload.picture.byteCount,
      expiresAt: upload.expiresAt, picture: upload.picture)
  }
}

/// The limit of unfinished uploads per caller.
package struct UnfinishedUploadLimit: Sendable {
  package let count: Int
  /// The total size of these uploads when they are complete.
  package let bytes: Int

  package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}
