package import Memes

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

  /// The sum of all, which stands for the number of rows in the progress of a check.
  var all: Int64 {
    lastMeme + lastUpload + lastUnfinishedUpload + lastTemplate + lastAvatar + lastBlob
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
  /// The number of boxes with pictures.
  package let boxes: Int
  /// The reason why the row or its related rows cannot be read.
  package let damage: String?

  package init(
    sequence: Int64, id: MemeID?, isInTrash: Bool, pictures: [MemePicture: Bool],
    boxes: Int, damage: String?
  ) {
    (self.sequence, self.id, self.isInTrash) = (sequence, id, isInTrash)
    (self.pictures, self.boxes, self.damage) = (pictures, boxes, damage)
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
