package import Foundation

/// Names one upload. Who has the id may make memes of the picture, so it is as random as a UUID can be: version 4, of
/// which 122 bits are random (RFC 9562 §5.4), and not of the version that sorts by time.
package struct UploadID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A picture that was sent ahead of the memes that are made of it.
package struct Upload: Sendable, Equatable {
  /// For so long an upload may be used, whether it was used or not: a request that comes again finds it.
  package static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000

  package let id: UploadID
  package let picture: PictureFacts
  /// From then on there is no such upload.
  package let expiresAt: Timestamp

  package init(id: UploadID, picture: PictureFacts, expiresAt: Timestamp) {
    (self.id, self.picture, self.expiresAt) = (id, picture, expiresAt)
  }

  package static func expiry(madeAt time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 + lifetimeMilliseconds)
  }
}
