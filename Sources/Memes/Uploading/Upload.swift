package import Foundation

/// The ID of an upload. A client that knows it can make memes from the picture. It is therefore a UUID version 4, of
/// which 122 bits are random (RFC 9562 §5.4), rather than one that sorts by time.
package struct UploadID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A picture that was uploaded before the memes that use it.
package struct Upload: Sendable, Equatable {
  /// How long an upload can be used. Using it does not consume it, so that a repeated request finds it.
  package static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000

  package let id: UploadID
  package let picture: PictureFacts
  /// The upload does not exist after this time.
  package let expiresAt: Timestamp

  package init(id: UploadID, picture: PictureFacts, expiresAt: Timestamp) {
    (self.id, self.picture, self.expiresAt) = (id, picture, expiresAt)
  }

  package static func expiry(madeAt time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 + lifetimeMilliseconds)
  }
}
