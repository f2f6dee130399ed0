/// A parsed row of a list of memes, with everything but the bytes of the picture.
package struct ImportRow: Sendable {
  /// The draft. Its pictures have no bytes yet.
  package var draft: MemeDraft
  /// The path of the picture in the folder.
  package let file: String
  /// The paths of the pictures in boxes, in their order.
  package var boxedFiles: [String] = []
  /// `nil` uses the time of the import.
  package let createdAt: Timestamp?
  /// `nil` makes a meme without an author.
  package let author: Username?
  /// The fields in which control characters were replaced with spaces.
  package let replaced: [String]

  package init(
    draft: MemeDraft, file: String, createdAt: Timestamp?, author: Username?,
    replaced: [String] = []
  ) {
    (self.draft, self.file, self.createdAt, self.author) = (draft, file, createdAt, author)
    self.replaced = replaced
  }
}

/// The authors of imported memes.
package enum ImportAuthors: Sendable, Equatable {
  /// The author in each row.
  case named
  case everyRow(Username)
  /// The memes have no author, whatever the rows say.
  case anonymous
}

/// The reason why a row makes no meme.
package struct RowFault: Error, Sendable, Equatable {
  /// All problems of the row.
  package let reasons: [Reason]

  package struct Reason: Sendable, Equatable {
    /// `nil` if the problem concerns the whole row.
    package let field: String?
    /// One sentence, for people.
    package let message: String

    package init(_ field: String?, _ message: String) {
      (self.field, self.message) = (field, message)
    }
  }

  package init(_ reasons: [Reason]) { self.reasons = reasons }

  package init(_ field: String?, _ message: String) {
    self.init([Reason(field, message)])
  }
}

extension ImportRow {
  /// The ID of the meme if the row specifies none. It depends only on the content, so importing a row repeatedly makes
  /// one meme. The ID is a UUID version 8 (RFC 9562 §5.8).
  ///
  /// - Parameter draftDigest: the digest of the draft with its picture.
  package func derivedID(_ draftDigest: Digest, _ digest: Digester) -> MemeID {
    let parts = [
      "import", draftDigest.hexadecimal, createdAt?.description ?? "", author?.text ?? "",
    ]
    return .version8(Digest(of: parts, digest))
  }
}
