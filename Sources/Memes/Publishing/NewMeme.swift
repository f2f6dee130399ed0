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
  /// The pictures in boxes, in the order of the recipe.
  package var boxed: [BoxedFile] = []

  package init(
    meme: Meme, draftDigest: Digest, original: FileSource, image: Bytes,
    tableThumbnail: Bytes, gridThumbnail: Bytes
  ) {
    (self.meme, self.draftDigest, self.original) = (meme, draftDigest, original)
    (self.image, self.tableThumbnail, self.gridThumbnail) = (image, tableThumbnail, gridThumbnail)
  }

  /// All files, in the order of their numbers.
  package var files: [NewPicture] {
    PictureRole.allCases.map { role in
      NewPicture(PictureNumber(role), meme.facts(of: role), file(of: role))
    } + boxed.asNewPictures
  }

  /// The total size of all files.
  package var byteCount: Int { files.reduce(0) { $0 + $1.facts.byteCount } }

  private func file(of role: PictureRole) -> FileSource {
    switch role {
    case .original: original
    case .image: .bytes(image)
    case .tableThumbnail: .bytes(tableThumbnail)
    case .gridThumbnail: .bytes(gridThumbnail)
    }
  }
}

/// A new file of a meme, ready to be stored.
package struct NewPicture: Sendable {
  package let number: PictureNumber
  package let facts: PictureFacts
  package let source: FileSource

  package init(_ number: PictureNumber, _ facts: PictureFacts, _ source: FileSource) {
    (self.number, self.facts, self.source) = (number, facts, source)
  }
}

extension [BoxedFile] {
  /// The pictures with the numbers of their boxes.
  package var asNewPictures: [NewPicture] {
    enumerated().map { NewPicture(.boxed($0), $1.facts, $1.source) }
  }
}

/// The source of the bytes of a meme's new file.
package enum FileSource: Sendable {
  case bytes(Bytes)
  /// Bytes that are already in the store, which copies them.
  case upload(UploadID)
  case template(TemplateID)
  /// The picture in the box at this index of the meme before an edit.
  case boxed(Int, of: MemeID)
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
