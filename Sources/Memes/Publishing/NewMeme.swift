package import Bytes

/// A meme with its files, ready to be stored.
package struct NewMeme: Sendable {
  package var meme: Meme
  /// The digest of the whole draft. It shows whether another request with the same ID is a repeated request.
  package let draftDigest: Digest
  package let original: FileSource
  package let image: Bytes
  package let tableThumbnail: Bytes
  package let gridThumbnail: Bytes

  package init(
    meme: Meme, draftDigest: Digest, original: FileSource, image: Bytes,
    tableThumbnail: Bytes, gridThumbnail: Bytes
  ) {
    (self.meme, self.draftDigest, self.original) = (meme, draftDigest, original)
    (self.image, self.tableThumbnail, self.gridThumbnail) = (image, tableThumbnail, gridThumbnail)
  }

  package func file(of role: PictureRole) -> FileSource {
    switch role {
    case .original: original
    case .image: .bytes(image)
    case .tableThumbnail: .bytes(tableThumbnail)
    case .gridThumbnail: .bytes(gridThumbnail)
    }
  }
}

/// The source of the bytes of a meme's new file.
package enum FileSource: Sendable {
  case bytes(Bytes)
  /// Bytes that are already in the store, which copies them.
  case upload(UploadID)
  case template(TemplateID)
}

/// A stored file of a meme.
package struct StoredPicture: Sendable {
  package let file: StoredPictureFile
  /// The version of the meme, read in the same transaction as the file.
  package let version: Int
  package let visibility: Visibility

  package init(file: StoredPictureFile, version: Int, visibility: Visibility) {
    (self.file, self.version, self.visibility) = (file, version, visibility)
  }
}

/// The result of inserting a meme.
package enum Insertion: Sendable {
  /// The meme is stored.
  case inserted
  /// The author already has a meme with this ID, made from a draft with this digest. Nothing was written.
  case taken(draftDigest: Digest)
  /// The key's first request already has a response. Nothing was written.
  case answered(IdempotencyRecord)

  /// Whether the meme was written.
  package var isInserted: Bool { if case .inserted = self { true } else { false } }
}
