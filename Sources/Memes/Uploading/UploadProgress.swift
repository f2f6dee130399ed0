/// How far an upload has come: one that comes in pieces, or one that is there.
package struct UploadProgress: Sendable, Equatable {
  package let id: UploadID
  /// How many bytes it has when it is whole; at least 1.
  package let byteCount: Int
  /// How many of them are durable: where the next piece begins.
  package let offset: Int
  /// From then on there is no such upload.
  package let expiresAt: Timestamp
  /// What it is, once it is whole.
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

/// How many uploads one caller may have begun and not finished.
package struct UnfinishedBound: Sendable {
  package let count: Int
  /// Of all of them together, when they are whole.
  package let bytes: Int

  package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}
