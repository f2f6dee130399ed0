/// A row of a list of memes as it was read: everything but the bytes of the picture.
package struct ImportRow: Sendable {
  /// Without its picture.
  package var draft: MemeDraft
  /// The picture's path in the folder.
  package let file: String
  /// `nil`: when it is imported.
  package let createdAt: Timestamp?
  /// `nil`: it is nobody's.
  package let author: Username?
  /// The fields in which control characters became spaces.
  package let replaced: [String]

  package init(
    draft: MemeDraft, file: String, createdAt: Timestamp?, author: Username?,
    replaced: [String] = []
  ) {
    (self.draft, self.file, self.createdAt, self.author) = (draft, file, createdAt, author)
    self.replaced = replaced
  }
}

/// Whose memes become that are imported.
package enum ImportAuthors: Sendable, Equatable {
  /// Of whom each row says.
  case named
  case everyRow(Username)
  case nobody
}

/// Why a row makes no meme.
package struct RowFault: Error, Sendable, Equatable {
  /// Everything that is wrong with it.
  package let reasons: [Reason]

  package struct Reason: Sendable, Equatable {
    /// `nil`: it is the row as a whole.
    package let field: String?
    /// One sentence: for people.
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
  /// The id of a meme whose row brings none: the same for the same content, so that a row makes one meme however often it is
  /// imported. A UUID of version 8 (RFC 9562 §5.8).
  ///
  /// - Parameter draftDigest: of the draft with its picture.
  func derivedID(_ draftDigest: Digest, _ digest: Digester) -> MemeID {
    let parts = [
      "import", draftDigest.hexadecimal, createdAt?.description ?? "", author?.text ?? "",
    ]
    return .version8(Digest(of: parts, digest))
  }
}
