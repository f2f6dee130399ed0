/// Reads all stored data for ``Checking``, damaged or not.
///
/// Each call is a short transaction of its own on the calling thread, so a running server can continue. Every method
/// that throws may throw ``MemeError/storage(_:)`` if the data cannot be read.
package protocol MemeArchive: Sendable {
  /// The damage that the database finds in its own structure and in references between rows.
  func structuralDamage() -> [Finding]

  /// Data that does not match the rows from which it is derived: counters, and the changes that clients sync.
  func wrongNumbers() -> [Finding]

  /// The current extent of the data. A check ends there, and leaves newer rows for the next check.
  func extent() throws -> ArchiveExtent

  /// The next memes, ordered by sequence number. Deleted memes are included until they are purged.
  ///
  /// A meme that cannot be read is included, with its ``ArchivedMeme/damage``.
  func memes(after sequence: Int64, upTo end: Int64, limit: Int) throws -> [ArchivedMeme]

  /// The row and the bytes of a picture, from one snapshot; `nil` if the picture was purged or
  /// evicted during the check.
  func picture(
    _ picture: MemePicture, of sequence: Int64
  ) throws -> PictureFile?

  /// The next uploads, ordered by sequence number. Expired uploads are included until they are purged.
  ///
  /// An upload that cannot be read is included, with its ``ArchivedUpload/damage``.
  func uploads(after sequence: Int64, upTo end: Int64, limit: Int) throws
    -> [ArchivedUpload]

  /// The row and the bytes of an upload, from one snapshot; `nil` if it was purged during the check.
  func upload(_ sequence: Int64) throws -> PictureFile?

  /// The next unfinished uploads, ordered by sequence number. Their pieces are read as well.
  ///
  /// An upload that cannot be read is included, with its ``ArchivedUnfinishedUpload/damage``.
  func unfinishedUploads(after sequence: Int64, upTo end: Int64, limit: Int) throws
    -> [ArchivedUnfinishedUpload]

  /// The next templates, ordered by sequence number.
  ///
  /// A template that cannot be read is included, with its ``ArchivedTemplate/damage``.
  func templates(after sequence: Int64, upTo end: Int64, limit: Int) throws
    -> [ArchivedTemplate]

  /// The row and the bytes of a template's file, from one snapshot; `nil` if the template was deleted during the check.
  func picture(_ role: TemplateRole, ofTemplate sequence: Int64) throws -> PictureFile?

  /// The next users with an avatar, ordered by sequence number.
  ///
  /// A user whose avatar cannot be read is included, with its ``ArchivedAvatar/damage``.
  func avatars(after sequence: Int64, upTo end: Int64, limit: Int) throws
    -> [ArchivedAvatar]

  /// The row and the bytes of an avatar, from one snapshot; `nil` if it was removed during the check.
  func picture(_ size: AvatarSize, ofAvatar sequence: Int64) throws -> PictureFile?

  /// The next blobs, ordered by number.
  func blobs(after number: Int64, upTo end: Int64, limit: Int) throws -> [ArchivedBlob]
}

/// The highest sequence number of each table; 0 for an empty table.
package struct ArchiveExtent: Sendable, Equatable {
  package let lastMeme: Int64
  package let lastUpload: Int64
  package let lastUnfinishedUpload: Int64
  package let lastTemplate: Int64
  package let lastAvatar: Int64
  package let lastBlob: Int64

  package init(
    lastMeme: Int64 = 0, lastUpload: Int64 = 0, lastUnfinishedUpload: Int64 = 0,
    lastTemplate: Int64 = 0, lastAvatar: Int64 = 0, lastBlob: Int64 = 0
  ) {
    (self.lastMeme, self.lastUpload) = (lastMeme, lastUpload)
    self.lastUnfinishedUpload = lastUnfinishedUpload
    (self.lastTemplate, self.lastAvatar, self.lastBlob) = (lastTemplate, lastAvatar, lastBlob)
  }
}

/// The row of a meme, and its pictures.
package struct ArchivedMeme: Sendable {
  package let sequence: Int64
  /// `nil` if the row cannot be read.
  package let id: MemeID?
  package let isInTrash: Bool
  /// For each picture with a row: whether its bytes exist.
  package let pictures: [MemePicture: Bool]
  /// The reason why the row or its related rows cannot be read.
  package let damage: String?

  package init(
    sequence: Int64, id: MemeID?, isInTrash: Bool, pictures: [MemePicture: Bool],
    damage: String?
  ) {
    (self.sequence, self.id, self.isInTrash) = (sequence, id, isInTrash)
    (self.pictures, self.damage) = (pictures, damage)
  }
}

/// The row of an upload.
package struct ArchivedUpload: Sendable {
  package let sequence: Int64
  /// Whether its bytes exist.
  package let hasBytes: Bool
  /// The reason why the row cannot be read.
  package let damage: String?

  package init(sequence: Int64, hasBytes: Bool, damage: String?) {
    (self.sequence, self.hasBytes, self.damage) = (sequence, hasBytes, damage)
  }
}

/// The row of an unfinished upload, and its pieces.
package struct ArchivedUnfinishedUpload: Sendable {
  package let sequence: Int64
  /// The number of bytes according to the row, and according to the pieces. Pieces after a gap do not count.
  package let received: Int
  package let found: Int
  /// The reason why the row or one of the pieces cannot be read.
  package let damage: String?

  package init(sequence: Int64, received: Int, found: Int, damage: String?) {
    (self.sequence, self.received, self.found) = (sequence, received, found)
    self.damage = damage
  }
}

/// The row of a template.
package struct ArchivedTemplate: Sendable {
  package let sequence: Int64
  /// `nil` if the row cannot be read.
  package let id: TemplateID?
  /// For each of its files: whether the bytes exist.
  package let files: [TemplateRole: Bool]
  /// The reason why the row cannot be read.
  package let damage: String?

  package init(
    sequence: Int64, id: TemplateID?, files: [TemplateRole: Bool], damage: String?
  ) {
    (self.sequence, self.id, self.files, self.damage) = (sequence, id, files, damage)
  }
}

/// The avatar of a user.
package struct ArchivedAvatar: Sendable {
  package let sequence: Int64
  /// For each size with a row: whether its bytes exist.
  package let files: [AvatarSize: Bool]
  /// The reason why the rows cannot be read.
  package let damage: String?

  package init(sequence: Int64, files: [AvatarSize: Bool], damage: String?) {
    (self.sequence, self.files, self.damage) = (sequence, files, damage)
  }
}

/// The bytes of one file.
package struct ArchivedBlob: Sendable {
  package let number: Int64
  /// Whether another row refers to the bytes.
  package let hasOwner: Bool

  package init(number: Int64, hasOwner: Bool) {
    (self.number, self.hasOwner) = (number, hasOwner)
  }
}
