/// What ``Checking`` needs of a store: everything that it keeps, as it is, damaged or not.
///
/// Every call is a transaction of its own and short, so that a server beside it goes on. All may throw
/// ``MemeError/storage(_:)`` for what cannot be read. They run on the calling thread.
package protocol MemeArchive: Sendable {
  /// What the database finds wrong with its own structure, and with references between its rows.
  func structuralDamage() -> [Finding]

  /// What is kept beside the rows that it tells of, and does not agree with them: numbers of rows, and changes that clients are told of.
  func wrongNumbers() -> [Finding]

  /// What there is now: a walk ends there, and what comes later is for the next check.
  func extent() throws(MemeError) -> ArchiveExtent

  /// The next memes in the order of their sequence numbers, deleted ones that are not purged too.
  ///
  /// A meme that cannot be read is among them, with its ``ArchivedMeme/damage``.
  func memes(after sequence: Int64, upTo end: Int64, limit: Int) throws(MemeError) -> [ArchivedMeme]

  /// A picture's row and bytes, of one moment; `nil` where it is purged, or gives way, meanwhile.
  func picture(
    _ picture: MemePicture, of sequence: Int64
  ) throws(MemeError) -> PictureFile?

  /// The next uploads in the order of their sequence numbers, expired ones that are not purged too.
  ///
  /// An upload that cannot be read is among them, with its ``ArchivedUpload/damage``.
  func uploads(after sequence: Int64, upTo end: Int64, limit: Int) throws(MemeError)
    -> [ArchivedUpload]

  /// An upload's row and bytes, of one moment; `nil` where it is purged meanwhile.
  func upload(_ sequence: Int64) throws(MemeError) -> PictureFile?

  /// The next uploads that are not whole, in the order of their sequence numbers, with what is wrong with each and its pieces.
  func unfinishedUploads(after sequence: Int64, upTo end: Int64, limit: Int) throws(MemeError)
    -> [ArchivedUnfinishedUpload]

  /// The next templates in the order of their sequence numbers.
  ///
  /// A template that cannot be read is among them, with its ``ArchivedTemplate/damage``.
  func templates(after sequence: Int64, upTo end: Int64, limit: Int) throws(MemeError)
    -> [ArchivedTemplate]

  /// The row and bytes of a template's file, of one moment; `nil` where it is deleted meanwhile.
  func picture(_ role: TemplateRole, ofTemplate sequence: Int64) throws(MemeError) -> PictureFile?

  /// The next people who have pictures in the order of their sequence numbers.
  ///
  /// One who cannot be read is among them, with their ``ArchivedAvatar/damage``.
  func avatars(after sequence: Int64, upTo end: Int64, limit: Int) throws(MemeError)
    -> [ArchivedAvatar]

  /// The row and bytes of a person's picture, of one moment; `nil` where it is taken away meanwhile.
  func picture(_ size: AvatarSize, ofAvatar sequence: Int64) throws(MemeError) -> PictureFile?

  /// The next bytes in the order of their numbers, and whether anything that is kept has them.
  func blobs(after number: Int64, upTo end: Int64, limit: Int) throws(MemeError) -> [ArchivedBlob]
}

/// The highest numbers in use; 0 where there are none.
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

/// A meme's row, and which of its pictures it has.
package struct ArchivedMeme: Sendable {
  package let sequence: Int64
  /// `nil` where the row cannot be read.
  package let id: MemeID?
  package let isInTrash: Bool
  /// For each picture that has a row: whether its bytes have one.
  package let pictures: [MemePicture: Bool]
  /// Why the row, or what belongs to it, cannot be read.
  package let damage: String?

  package init(
    sequence: Int64, id: MemeID?, isInTrash: Bool, pictures: [MemePicture: Bool],
    damage: String?
  ) {
    (self.sequence, self.id, self.isInTrash) = (sequence, id, isInTrash)
    (self.pictures, self.damage) = (pictures, damage)
  }
}

/// An upload's row.
package struct ArchivedUpload: Sendable {
  package let sequence: Int64
  /// Whether its bytes have a row.
  package let hasBytes: Bool
  /// Why the row cannot be read.
  package let damage: String?

  package init(sequence: Int64, hasBytes: Bool, damage: String?) {
    (self.sequence, self.hasBytes, self.damage) = (sequence, hasBytes, damage)
  }
}

/// An upload that comes in pieces and is not whole.
package struct ArchivedUnfinishedUpload: Sendable {
  package let sequence: Int64
  /// How many bytes there are by its row, and by its pieces as far as each begins where the one before ends.
  package let received: Int
  package let found: Int
  /// Why the row, or one of the pieces, cannot be read.
  package let damage: String?

  package init(sequence: Int64, received: Int, found: Int, damage: String?) {
    (self.sequence, self.received, self.found) = (sequence, received, found)
    self.damage = damage
  }
}

/// A template's row.
package struct ArchivedTemplate: Sendable {
  package let sequence: Int64
  /// `nil` where the row cannot be read.
  package let id: TemplateID?
  /// For each of its files: whether its bytes have a row.
  package let files: [TemplateRole: Bool]
  /// Why the row cannot be read.
  package let damage: String?

  package init(
    sequence: Int64, id: TemplateID?, files: [TemplateRole: Bool], damage: String?
  ) {
    (self.sequence, self.id, self.files, self.damage) = (sequence, id, files, damage)
  }
}

/// A person who has pictures.
package struct ArchivedAvatar: Sendable {
  package let sequence: Int64
  /// For each of the pictures that have a row: whether its bytes have one.
  package let files: [AvatarSize: Bool]
  /// Why the rows cannot be read.
  package let damage: String?

  package init(sequence: Int64, files: [AvatarSize: Bool], damage: String?) {
    (self.sequence, self.files, self.damage) = (sequence, files, damage)
  }
}

/// Some stored bytes.
package struct ArchivedBlob: Sendable {
  package let number: Int64
  /// Whether anything that is kept has them.
  package let hasOwner: Bool

  package init(number: Int64, hasOwner: Bool) {
    (self.number, self.hasOwner) = (number, hasOwner)
  }
}
